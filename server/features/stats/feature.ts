import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createStats } from './service.ts'

export const stats = defineFeature({
  name: 'stats',
  needs: ['bulkSends'],
  create: parts => ({ services: { stats: createStats({ ...parts, listSendCosts: parts.bulkSends.listCosts }) } }),
})
