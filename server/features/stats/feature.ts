import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createBlockService, createBlocks } from './blocks/service.ts'
import { createSegmentUpdater } from './segments/updater.ts'
import { createStats } from './service.ts'
import './segments/table.ts'

export const stats = defineFeature({
  name: 'stats',
  needs: ['bulkSends', 'businessHours', 'flows', 'orgSettings', 'tags'],
  create(parts) {
    const updater = createSegmentUpdater(parts)
    return {
      services: {
        stats: {
          ...createStats({ ...parts, listSendCosts: parts.bulkSends.listCosts }),
          ...createBlockService(parts, createBlocks(parts)),
        },
      },
      listeners: [updater.listener],
      start: () => void updater.start(),
    }
  },
})
