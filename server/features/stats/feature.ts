import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createSegmentUpdater } from './segments/updater.ts'
import { createStats } from './service.ts'
import './segments/table.ts'

export const stats = defineFeature({
  name: 'stats',
  needs: ['bulkSends', 'businessHours', 'orgSettings', 'tags'],
  create(parts) {
    const updater = createSegmentUpdater(parts)
    return {
      services: { stats: createStats({ ...parts, listSendCosts: parts.bulkSends.listCosts }) },
      listeners: [updater.listener],
      start: () => void updater.start(),
    }
  },
})
