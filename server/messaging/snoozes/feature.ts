import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createSnoozeNotices } from './notices.ts'
import { createSnoozes } from './service.ts'
import { createSnoozing, type Snoozing } from './snoozing.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    snoozing: Snoozing
  }
}

export const snoozes = defineFeature({
  name: 'snoozes',
  needs: ['notifications'],
  create(parts) {
    const snoozing = createSnoozing(parts)
    return {
      provides: { snoozing },
      services: { snoozes: createSnoozes({ ...parts, snoozing }) },
      listeners: [createSnoozeNotices(parts.notifications)],
    }
  },
})
