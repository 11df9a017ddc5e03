import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createHistory } from './service.ts'

export const history = defineFeature({
  name: 'history',
  needs: ['bulkSends'],
  create(parts) {
    const entries = createHistory({ ...parts, describeSends: parts.bulkSends.describe })
    return { services: { history: entries.service }, listeners: [entries.listener] }
  },
})
