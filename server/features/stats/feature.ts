import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createFollowing } from './segments/following.ts'
import { createStats } from './service.ts'
import './segments/table.ts'

export const stats = defineFeature({
  name: 'stats',
  needs: ['bulkSends', 'businessHours', 'orgSettings', 'tags'],
  create(parts) {
    const following = createFollowing(parts)
    return {
      services: { stats: createStats({ ...parts, listSendCosts: parts.bulkSends.listCosts }) },
      listeners: [following.listener],
      start: () => void following.start(),
    }
  },
})
