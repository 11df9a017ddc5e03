import { findMemberRole } from '#server/identity/orgs/members/members.ts'
import { findValuesIn, listFields } from '#server/messaging/contacts/fields.ts'
import { seesChat } from '#server/messaging/conversations/chat.ts'
import { createFileHead } from '#server/messaging/media/file-head.ts'
import { cancelQueued, listOwnNumbers, sendAgainToMany, sendToMany } from '#server/messaging/sending/to-many.ts'
import { templateFreezing } from '#server/messaging/templates/freezing.ts'
import { templateSending } from '#server/messaging/templates/sending.ts'
import { defineFeature } from '#server/platform/wiring/feature.ts'
import { maxContactFields } from '#shared/contacts/fields.ts'
import { createBulkSendParts } from './bulk-sends.ts'
import { listSendCosts } from './planning/cost-store.ts'
import { listRateCards } from './planning/rates.ts'
import { createPeriodFigures } from './reports/period.ts'
import { createFindSendOf } from './rights/visible.ts'
import { createBulkPace, type Pace } from './sending/pace.ts'
import { findUnanswered, hasSend } from './sending/unanswered.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    bulkSends: Pick<ReturnType<typeof createBulkSendParts>, 'countOpened' | 'describe' | 'forget'> & {
      readonly hasSend: typeof hasSend
      readonly findUnanswered: typeof findUnanswered
      readonly listCosts: typeof listSendCosts
      readonly listRateCards: typeof listRateCards
      /** Outcomes of the sends of a period. */
      readonly figuresOfPeriod: ReturnType<typeof createPeriodFigures>
      /** The send that a message belongs to, if the caller may see it. */
      readonly findOfMessage: ReturnType<typeof createFindSendOf>
    }
    /** The rate of bulk messages of each number. */
    bulkPace: Pace
  }
}

export const bulkSends = defineFeature({
  name: 'bulk-sends',
  needs: ['scopes', 'tags', 'notifications', 'outbox', 'keptMarks', 'orgSettings'],
  later: ['messageCosts'],
  create(parts, later) {
    const { clock, ids, scopes, outbound, outbox, keptMarks, orgSettings } = parts
    const pace = createBulkPace(parts)
    const takeKept = keptMarks.take
    const bulkSends = createBulkSendParts({
      ...parts,
      templates: templateFreezing,
      pace,
      bulkCapacity: outbox.bulkCapacity,
      prepareTemplate: templateSending.prepare,
      headOf: createFileHead(outbound),
      seesChat,
      findKept: keptMarks.findPhones,
      readCountry: orgId => orgSettings.readCountry(orgId),
      readApprovalFrom: (orgId, db) => orgSettings.read(orgId, 'bulkApprovalFrom', db),
      readTimeZone: (orgId, db) => orgSettings.read(orgId, 'timeZone', db),
      costOfMessages: (...of) => later.messageCosts.ofMessages(...of),
      contactFields: { list: (db, orgId) => listFields(db, orgId, maxContactFields), findValuesIn },
      senders: { listNumbers: listOwnNumbers, findRole: findMemberRole },
      inbox: {
        sendToMany: (write, to) => sendToMany(write, to, { clock, ids, takeKept, outbox }),
        sendAgainToMany: (write, messageIds) => sendAgainToMany(write, messageIds, { clock, ids, outbox }),
        cancelQueued: (write, messageIds) => cancelQueued(write, messageIds, { clock, ids, outbox }),
      },
    })
    return {
      provides: {
        bulkSends: {
          ...bulkSends,
          hasSend,
          findUnanswered,
          listCosts: listSendCosts,
          listRateCards,
          figuresOfPeriod: createPeriodFigures(parts),
          findOfMessage: createFindSendOf(scopes),
        },
        bulkPace: pace,
      },
      services: { bulkSends: bulkSends.service, bulkDrafts: bulkSends.drafts },
      listeners: bulkSends.listeners,
    }
  },
})
