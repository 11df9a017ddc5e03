import { summarize } from '#server/messaging/conversations/shown/summary.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createNotifications, type Notifications } from './service.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    notifications: Notifications
  }
}

export const notifications = defineFeature({
  name: 'notifications',
  needs: ['scopes'],
  create(parts) {
    const service = createNotifications({ ...parts, summarize })
    return {
      provides: { notifications: service },
      services: { notifications: service },
      chores: [{ name: 'notifications', run: now => service.prune(now) }],
    }
  },
})
