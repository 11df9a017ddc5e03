import { getOrganization } from '#server/identity/orgs/members.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { createBlockService, createBlocks } from './blocks/service.ts'
import { createStatsExports } from './export/exports.ts'
import { mountStatsExports } from './export/routes.ts'
import { createNow } from './now/now.ts'
import { createSegmentUpdater } from './segments/updater.ts'
import { createStats } from './service.ts'
import './segments/table.ts'

export const stats = defineFeature({
  name: 'stats',
  needs: ['auth', 'bulkSends', 'businessHours', 'flows', 'live', 'orgSettings', 'scopes', 'tags'],
  create(parts) {
    const updater = createSegmentUpdater(parts)
    const exports = createStatsExports({
      ...parts,
      findCurrentRights: parts.auth.findCurrentRights,
      findOrganization: getOrganization,
    })
    const service = createStats({ ...parts, listSendCosts: parts.bulkSends.listCosts })
    return {
      services: {
        stats: {
          ...service,
          ...createNow({ ...parts, isOnline: parts.live.isOnline }),
          ...createBlockService({ ...parts, getSummary: service.getSummary }, createBlocks(parts)),
        },
        statsExport: exports.service,
      },
      routes: app => mountStatsExports(app, { exports, translate: parts.translate }),
      listeners: [updater.listener, exports.listener],
      chores: [{ name: 'statistics exports', run: () => exports.prune() }],
      start: () => void updater.start(),
    }
  },
})
