import { defineFeature } from '#server/platform/wiring/feature.ts'
import { emitChanges } from './changes/changes.ts'
import { undoReaction } from './changes/own-reactions.ts'
import { applyAccepted } from './delivery/accepted.ts'
import { applyDelivery, failMessages } from './delivery/delivery.ts'
import { createMessageInfo } from './delivery/message-info.ts'
import { findEarlyStatus } from './delivery/statuses.ts'
import { createOldMessages, type OldMessages } from './history/old-messages.ts'
import { applyItems } from './inbound/webhook-items.ts'

/** Changes that the outbox and the files make to stored messages. */
const messageStates = { applyAccepted, applyDelivery, failMessages, undoReaction, emitChanges }

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    oldMessages: OldMessages
    messageStates: typeof messageStates
    findEarlyStatus: typeof findEarlyStatus
  }
}

export const messages = defineFeature({
  name: 'messages',
  needs: ['outbox', 'media', 'choosing', 'keptMarks', 'taps'],
  later: ['flows', 'bulkSends'],
  subscribesTo: { vital: ['messages', 'standby', 'messaging_handovers', 'calls', 'history'] },
  create(parts, later) {
    const { clock, ids, i18n, storages, media, choosing, keptMarks, taps } = parts
    return {
      provides: {
        oldMessages: createOldMessages({ ...parts, removeFile: path => storages.media.remove(path) }),
        messageStates,
        findEarlyStatus,
      },
      services: {
        messageInfo: createMessageInfo({
          ...parts,
          translator: i18n.translator,
          findBulkSend: (...of) => later.bulkSends.findOfMessage(...of),
        }),
      },
      takers: [
        {
          feature: 'inbox',
          kinds: ['message', 'echo', 'identity', 'handover', 'groupChange', 'reaction', 'edit', 'revoke', 'status'],
          readAhead: (orgId, items) =>
            later.flows.readAhead(
              orgId,
              items.map(item => (item.kind === 'message' && !item.past ? (item.body.text ?? undefined) : undefined)),
            ),
          async apply(write, items) {
            const { mediaIds } = await applyItems(write, items, {
              clock,
              ids,
              takeKept: keptMarks.take,
              bots: later.flows.incoming,
              choosing,
              actionOf: taps.actionOf,
            })
            await media.enqueue(write, mediaIds)
          },
        },
      ],
    }
  },
})
