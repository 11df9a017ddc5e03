import { getOrganization } from '#server/identity/orgs/members/members.ts'
import { defineFeature, type Services } from '#server/platform/wiring/feature.ts'
import type { Block } from './blocks/block.ts'
import { createBlockService, createBlocks } from './blocks/service.ts'
import { type CostsService, createCosts } from './cost/block.ts'
import { createAccountReaders } from './cost/readers.ts'
import { pruneSent } from './cost/retention.ts'
import { createSentMessages } from './cost/sent-messages.ts'
import { createStatsExports } from './export/exports.ts'
import { mountStatsExports } from './export/routes.ts'
import { createNow } from './now/now.ts'
import { createAnswerDueUpdater } from './promise/answer-due-updater.ts'
import { createStatsReports } from './report/reports.ts'
import { mountStatsReports } from './report/routes.ts'
import { createSubscriptionTokens } from './report/subscription-token.ts'
import { pruneSegments } from './segments/retention.ts'
import { createSegmentUpdater } from './segments/updater.ts'
import { createStats } from './service.ts'
import './cost/table.ts'
import './export/table.ts'
import './report/table.ts'
import './segments/table.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    /** The costs of messages, as the statistics count them. */
    messageCosts: Pick<CostsService, 'ofMessages'>
  }
}

export const stats = defineFeature({
  name: 'stats',
  needs: [
    'auth',
    'bulkSends',
    'businessHours',
    'flows',
    'graphOf',
    'live',
    'notifications',
    'numbers',
    'orgSettings',
    'scopes',
    'tags',
  ],
  create(parts) {
    const dues = createAnswerDueUpdater(parts)
    const updater = createSegmentUpdater({ ...parts, follow: dues.update })
    const sentMessages = createSentMessages({ ...parts, listReaders: createAccountReaders(parts) })
    const costs = createCosts({ ...parts, listRateCards: parts.bulkSends.listRateCards })
    const acting = { ...parts, findCurrentRights: parts.auth.findCurrentRights, findOrganization: getOrganization }
    const exports = createStatsExports(acting)
    const blocks = createBlocks({ ...parts, costs })
    const service = createStats({ ...parts, costs, listSendCosts: parts.bulkSends.listCosts })
    const reports = createStatsReports({
      ...acting,
      getSummary: service.getSummary,
      blocks: [blocks.templates, blocks.bulkSends, blocks.flows, blocks.cost, blocks.health] as readonly Block[],
      publicUrl: parts.config.publicUrl,
      tokens: createSubscriptionTokens(parts.vault),
    })
    return {
      provides: { messageCosts: costs },
      services: {
        stats: {
          ...service,
          ...createNow({ ...parts, isOnline: parts.live.isOnline }),
          ...createBlockService({ ...parts, costs, getSummary: service.getSummary }, blocks),
        },
        statsExport: exports.service,
        statsReport: reports.service as Services['statsReport'],
      },
      routes(app) {
        mountStatsExports(app, { exports, translate: parts.translate })
        mountStatsReports(app, { reports })
      },
      listeners: [updater.listener, dues.listener, sentMessages.listener, exports.listener, reports.listener],
      chores: [
        { name: 'statistics exports', run: () => exports.prune() },
        { name: 'old segments', run: () => pruneSegments(parts.databases, parts.clock) },
        { name: 'old sent messages', run: () => pruneSent(parts.databases, parts.clock) },
        sentMessages.chore,
      ],
      start: () => {
        void updater.start()
        void sentMessages.start()
      },
    }
  },
})
