import { inboxErrors } from '#server/messaging/errors.ts'
import { isTypedText } from '#server/messaging/events.ts'
import type { Outbox } from '#server/messaging/outbox/outbox.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { maxAttempts, type messageInfoApi } from '#shared/inbox/message-info.ts'
import type { MessageDirection } from '#shared/inbox/messages.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { sayFailureFor } from './failure.ts'
import { findTimes } from './message-info-store.ts'

/** The statuses of a message with their times, and each attempt to send it. */
export const createMessageInfo = ({
  databases,
  translator,
  outbox,
  findBulkSend,
}: {
  databases: Databases
  translator: ServerI18n['translator']
  outbox: Pick<Outbox, 'listAttempts'>
  /** Id of the bulk send that sent the message. Undefined: none, or not visible to the caller. */
  findBulkSend(db: Db, caller: OrgCaller, messageId: string): Promise<string | undefined>
}): ServiceOf<typeof messageInfoApi, OrgCaller> => ({
  /** @throws INBOX_MESSAGE_NOT_FOUND */
  async getMessageInfo(caller, { params }) {
    const db = databases.read
    const row = await findTimes(db, caller, params.id)
    if (!row) throw inboxErrors.MESSAGE_NOT_FOUND()
    const say = sayFailureFor(translator, caller.language)
    const isTyped = isTypedText({ type: row.type, authorKind: row.author_kind })
    const errorOf = (code: string | null, at: string) => (code === null ? null : say(code, at, isTyped))
    const attempts = await outbox.listAttempts(db, caller, { messageId: row.id, limit: maxAttempts })
    const hasFailed = row.status === 'failed'
    return {
      id: row.id,
      wamid: row.wamid,
      direction: row.direction as MessageDirection,
      author: row.author_name,
      bulkSend: (await findBulkSend(db, caller, row.id)) ?? null,
      at: row.at,
      sentAt: row.sent_at,
      deliveredAt: row.delivered_at,
      readAt: row.read_at,
      failedAt: hasFailed ? row.failed_at : null,
      error: hasFailed ? errorOf(row.error_code, row.failed_at ?? row.at) : null,
      detail: hasFailed ? row.error_detail : null,
      attempts: attempts.map(({ errorCode, ...attempt }) => ({
        ...attempt,
        error: errorOf(errorCode, attempt.endedAt ?? attempt.startedAt),
      })),
    }
  },
})
