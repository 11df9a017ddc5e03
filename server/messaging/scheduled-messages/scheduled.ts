import { requireChat } from '#server/messaging/conversations/chat.ts'
import { sayFailureFor } from '#server/messaging/messages/delivery/failure.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { visibleText } from '#server/platform/http/validate.ts'
import type { ServerI18n } from '#server/platform/text/i18n.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { readFutureTime } from '#server/platform/time/future-time.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { type ScheduledMessage, scheduledLimits, type scheduledMessagesApi } from '#shared/scheduled-messages/api.ts'
import { emitScheduled } from './changes.ts'
import { scheduledErrors } from './errors.ts'
import { createSendingLater, type SendingLaterParts } from './sending-later.ts'
import {
  findScheduled,
  hasAsMany,
  insertScheduled,
  listScheduled,
  type ScheduledRow,
  saveScheduled,
  takeScheduled,
} from './store.ts'

interface ScheduledParts extends SendingLaterParts {
  readonly translator: ServerI18n['translator']
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

/**
 * Messages written now and sent later. A row waits, or was due and could not be sent. It is deleted when sent or
 * cancelled.
 */
export function createScheduledMessages(parts: ScheduledParts): ServiceOf<typeof scheduledMessagesApi, OrgCaller> {
  const { databases, clock, ids, writes, translator, translate } = parts
  const later = createSendingLater(parts)

  const present = (row: ScheduledRow, caller: OrgCaller): ScheduledMessage => ({
    id: row.id,
    text: row.text,
    at: row.due_at,
    cancelOnReply: row.ends_on_reply === 1,
    author: row.author_name,
    own: row.author_id === callerId(caller),
    ...(row.held_code === null
      ? {}
      : {
          held: { code: row.held_code, message: translate(caller.language, `errors:${row.held_code}`) },
        }),
  })

  const timeOf = (typed: string) => readFutureTime(clock, typed, { field: 'body.at', days: scheduledLimits.days })

  /** @throws SCHEDULED_TOO_MANY, SCHEDULED_TOO_MANY_OF_AUTHOR */
  const requireBelowLimit = async ({ db, orgId }: OrgWrite, conversationId: string, authorId: string) => {
    const { ofChat, ofAuthor } = scheduledLimits
    if ((await listScheduled(db, orgId, { conversationId, limit: ofChat })).length >= ofChat)
      throw scheduledErrors.TOO_MANY({ params: { limit: ofChat } })
    if (await hasAsMany(db, orgId, { authorId, count: ofAuthor }))
      throw scheduledErrors.TOO_MANY_OF_AUTHOR({ params: { limit: ofAuthor } })
  }

  /** @throws INBOX_CHAT_NOT_FOUND, SCHEDULED_NOT_FOUND */
  const requireOne = async (
    { db, orgId }: OrgWrite,
    caller: OrgCaller,
    { phone, id }: { phone: string; id: string },
  ) => {
    const chat = await requireChat(db, caller, phone)
    const row = await findScheduled(db, orgId, id)
    if (row?.conversation_id !== chat.id) throw scheduledErrors.NOT_FOUND()
    return row
  }

  /** @throws SCHEDULED_NOT_YOURS, and what `requireOne` throws */
  const requireOwn = async (write: OrgWrite, caller: OrgCaller, of: { phone: string; id: string }) => {
    const row = await requireOne(write, caller, of)
    if (row.author_id !== callerId(caller)) throw scheduledErrors.NOT_YOURS()
    return row
  }

  return {
    async listScheduled(caller, { params }) {
      const chat = await requireChat(databases.read, caller, params.phone)
      const rows = await listScheduled(databases.read, caller.orgId, {
        conversationId: chat.id,
        limit: scheduledLimits.ofChat,
      })
      return { items: rows.map(row => present(row, caller)) }
    },

    schedule: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const due_at = timeOf(body.at)
        const chat = await requireChat(db, caller, params.phone)
        await requireBelowLimit(write, chat.id, callerId(caller))
        const row = {
          id: ids(clock.now().getTime()),
          conversation_id: chat.id,
          author_kind: caller.kind,
          author_id: callerId(caller),
          author_name: caller.name,
          text: visibleText(body.text, 'body.text'),
          due_at,
          ends_on_reply: body.cancelOnReply ? 1 : 0,
          held_code: null,
          created_at: isoNow(clock),
        }
        await insertScheduled(db, orgId, row)
        await later.set(write, row)
        await emitScheduled(write, row, 'added')
        return present({ ...row, org_id: orgId }, caller)
      }),

    changeScheduled: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const before = await requireOwn(write, caller, params)
        const after = {
          ...before,
          text: body.text === undefined ? before.text : visibleText(body.text, 'body.text'),
          ends_on_reply: (body.cancelOnReply ?? before.ends_on_reply === 1) ? 1 : 0,
          ...(body.at === undefined ? {} : { due_at: timeOf(body.at), held_code: null }),
        }
        const { text, due_at, ends_on_reply, held_code } = after
        await saveScheduled(write.db, write.orgId, before.id, { text, due_at, ends_on_reply, held_code })
        if (body.at !== undefined) await later.set(write, after)
        await emitScheduled(write, after, 'changed')
        return present(after, caller)
      }),

    async sendScheduled(caller, { params }) {
      const run = <T>(work: (write: OrgWrite) => Promise<T>) => writes.run(caller.orgId, actorOf(caller), work)
      const elsewhere = await later.findElsewhere(caller.orgId)
      if (!elsewhere)
        return run(async write =>
          later.send(
            write,
            await requireOwn(write, caller, params),
            caller,
            sayFailureFor(translator, caller.language),
          ),
        )
      const outcome = await elsewhere.send(caller, await run(write => requireOwn(write, caller, params)))
      if (outcome.kind !== 'sent') throw outcome.error
      return outcome.message
    },

    cancelScheduled: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const row = await requireOne(write, caller, params)
        if (row.author_id !== callerId(caller) && !roleCan(caller.role, 'member:manage'))
          throw scheduledErrors.NOT_YOURS()
        if (!(await takeScheduled(write.db, write.orgId, row.id))) throw scheduledErrors.NOT_FOUND()
        await emitScheduled(write, row, 'cancelled')
        return { success: true }
      }),
  }
}
