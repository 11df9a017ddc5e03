import { defineFeature } from '#server/platform/wiring/feature.ts'
import { type ArchivedImports, createArchivedImports } from '../imported/archived.ts'
import { createImportedMessages, type ImportedMessages } from '../imported/imported.ts'
import { createMessageInfo } from './message-info.ts'
import { createOldMessages, type OldMessages } from './old-messages.ts'
import { findEarlyStatus } from './statuses.ts'
import { applyItems } from './webhook-items.ts'

declare module '#server/platform/wiring/feature.ts' {
  interface Parts {
    oldMessages: OldMessages
    importedMessages: ImportedMessages
    archivedImports: ArchivedImports
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
        importedMessages: createImportedMessages({ clock, ids, takeKept: keptMarks.take }),
        archivedImports: createArchivedImports({ clock, ids, takeKept: keptMarks.take }),
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
