import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createAudit } from './audit.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    audit: ReturnType<typeof createAudit>
  }
}

export const audit = defineFeature({
  name: 'audit',
  create(parts) {
    const log = createAudit(parts)
    return {
      provides: { audit: log },
      services: { audit: log.service },
      chores: [{ name: 'audit log', run: now => log.prune(now) }],
    }
  },
})
