import { Type } from 'typebox'
import { type CurrentRights, findActingCaller } from '#server/identity/auth/acting-callers.ts'
import { type ConversationFacts, type Scope, sees } from '#server/identity/visibility/scope.ts'
import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { findContacts } from '#server/messaging/directory/contact-store.ts'
import type { SayFailure } from '#server/messaging/messages/delivery/failure.ts'
import { filledFor } from '#server/messaging/sending/filled-text.ts'
import { type SendParts, sendMessage } from '#server/messaging/sending/sending.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { SendingCaller } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { fallbackLanguage } from '#shared/kernel/language.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { OrgVariables } from '#shared/orgs/variables.ts'
import { scheduledLimits } from '#shared/scheduled-messages/api.ts'
import { emitScheduled } from './changes.ts'
import type { SendingElsewhere } from './elsewhere.ts'
import { scheduledErrors } from './errors.ts'
import { createSendingElsewhere, uncertainCode } from './sending-elsewhere.ts'
import { findScheduled, type ScheduledRow, saveScheduled, takeScheduled } from './store.ts'

export interface SendingLaterParts extends SendParts {
  readonly databases: Databases
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly log: Log
  readonly scopes: {
    readScope(orgId: string, looker: CurrentRights): Promise<Scope>
    readFacts(orgId: string, ids: readonly string[]): Promise<ReadonlyMap<string, ConversationFacts>>
  }
  readOrgVariables(orgId: string, db: Db): Promise<OrgVariables>
  /** Undefined: they may do nothing here any more. */
  findCurrentRights(
    db: Db,
    orgId: string,
    author: { kind: 'person' | 'key'; id: string },
  ): Promise<CurrentRights | undefined>
  findOrganization(db: Db, orgId: string): Promise<{ name: string; slug: string } | undefined>
  /** Undefined: every organization sends from here. */
  elsewhere(): SendingElsewhere | undefined
}

const troubleMs = 60_000
/** Another system that does not answer for so long is not asked any more: the message would come at a wrong time. */
const latestMs = 10 * 60_000

const codes: SayFailure = code => ({ code, message: code })

/** Sends scheduled messages in the name of their author, with the author's current rights. */
export function createSendingLater(parts: SendingLaterParts) {
  const { databases, clock, jobs, writes, log, scopes, findCurrentRights } = parts

  /** @throws SCHEDULED_AUTHOR_GONE */
  const getSender = async (orgId: string, row: ScheduledRow): Promise<SendingCaller> => {
    const db = databases.read
    const { author_kind: kind, author_id: id, author_name: name, conversation_id: conversationId } = row
    const acting = await findCurrentRights(db, orgId, { kind, id })
    if (!acting || !roleCan(acting.role, 'chat:reply')) throw scheduledErrors.AUTHOR_GONE()
    const scope = await scopes.readScope(orgId, acting)
    const facts = await scopes.readFacts(orgId, [conversationId])
    if (!sees(scope, facts.get(conversationId))) throw scheduledErrors.AUTHOR_GONE()
    const common = { name, orgId, scope }
    return kind === 'key' ? { ...common, kind, keyId: id } : { ...common, kind, userId: id }
  }

  /** @throws SCHEDULED_CONTACT_BLOCKED */
  const requireNotBlocked = async ({ db, orgId }: OrgWrite, conversationId: string): Promise<void> => {
    const [conversation] = await findRows.byId(db, [conversationId], { orgId })
    if (!conversation) return
    const [contact] = await findContacts.byId(db, [conversation.contact_id], { orgId })
    if (contact?.blocked_at) throw scheduledErrors.CONTACT_BLOCKED()
  }

  /**
   * Sends the message and deletes the row in one transaction, so that it is sent once. @param dueAt send only if this
   * is still its time @throws SCHEDULED_NOT_FOUND, SCHEDULED_CONTACT_BLOCKED and what `sendMessage` throws.
   */
  const send = async (
    write: OrgWrite,
    { id, dueAt }: { id: string; dueAt?: string },
    sender: SendingCaller,
    sayFailure: SayFailure,
  ): Promise<Message> => {
    const row = await takeScheduled(write.db, write.orgId, id)
    if (!row || (dueAt !== undefined && row.due_at !== dueAt)) throw scheduledErrors.NOT_FOUND()
    await requireNotBlocked(write, row.conversation_id)
    const { conversation_id: conversationId, text, author_name: agent } = row
    const message = await filledFor(write, { conversationId, text, agent }, parts.readOrgVariables)
    const body = { type: 'text', message, numberTel: conversationId }
    const sent = await sendMessage(write, sender, { body }, sayFailure, parts)
    await emitScheduled(write, row, 'sent')
    return sent
  }

  const actorOfRow = ({ author_kind: kind, author_id: id, author_name: name }: ScheduledRow) => ({ kind, id, name })

  const hold = (orgId: string, row: ScheduledRow, code: string) =>
    writes.run(orgId, actorOfRow(row), async write => {
      const current = await findScheduled(write.db, orgId, row.id)
      if (current?.due_at !== row.due_at) return
      await saveScheduled(write.db, orgId, row.id, { held_code: code })
      await emitScheduled(write, row, code === 'SCHEDULED_AUTHOR_GONE' ? 'orphaned' : 'held')
    })

  /** Undefined: this organization sends from here. */
  const findElsewhere = async (orgId: string) => {
    const elsewhere = parts.elsewhere()
    if (!elsewhere || !(await elsewhere.isFor(databases.read, orgId))) return undefined
    return createSendingElsewhere({ ...parts, elsewhere, requireNotBlocked })
  }

  /** @throws SCHEDULED_AUTHOR_GONE, and why it was not sent, if it may be tried again */
  const sendDueElsewhere = async (
    elsewhere: ReturnType<typeof createSendingElsewhere>,
    orgId: string,
    row: ScheduledRow,
  ) => {
    await getSender(orgId, row)
    const author = { kind: row.author_kind, id: row.author_id, name: row.author_name, language: fallbackLanguage }
    const caller = await findActingCaller(databases.read, orgId, author, parts)
    if (!caller) throw scheduledErrors.AUTHOR_GONE()
    const outcome = await elsewhere.send(caller, row)
    if (outcome.kind === 'notYet') throw outcome.error
  }

  const sendDue = async (orgId: string, { scheduledId, dueAt }: { scheduledId: string; dueAt: string }) => {
    const row = await findScheduled(databases.read, orgId, scheduledId)
    // Sent, cancelled or rescheduled meanwhile.
    if (row?.due_at !== dueAt) return
    // The process ended while the other system was asked, so that nobody was told yet.
    if (row.held_code === uncertainCode) return hold(orgId, row, uncertainCode)
    if (row.held_code !== null) return
    const elsewhere = await findElsewhere(orgId)
    try {
      if (elsewhere) return await sendDueElsewhere(elsewhere, orgId, row)
      const sender = await getSender(orgId, row)
      await writes.run(orgId, actorOfRow(row), write => send(write, { id: row.id, dueAt }, sender, codes))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const isLate = clock.now().getTime() > Date.parse(dueAt) + latestMs
      if (error.status >= 500 && !(elsewhere && isLate)) throw error
      if (error.code !== 'SCHEDULED_NOT_FOUND') await hold(orgId, row, error.code)
    }
  }

  const queue = jobs.register({
    name: 'inbox.scheduledMessage',
    looksWithinMs: scheduledLimits.days * 86_400_000,
    keepsTime: 'chosen',
    payload: Type.Object({ scheduledId: Type.String(), dueAt: Type.String() }),
    lane: 'person',
    atOnce: 4,
    perOrg: 2,
    isKept: false,
    run: ({ orgId, payload }) =>
      sendDue(orgId, payload).then(
        () => undefined,
        (error: unknown): Outcome => {
          log.error({ err: error, orgId, scheduled: payload.scheduledId }, 'a scheduled message is tried again')
          return { kind: 'again', afterMs: troubleMs }
        },
      ),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    send,
    findElsewhere,
    /** Schedules it, in the caller's transaction. An earlier time no longer applies. */
    async set({ db, orgId, afterCommit }: OrgWrite, { id, due_at }: Pick<ScheduledRow, 'id' | 'due_at'>) {
      const payload = { scheduledId: id, dueAt: due_at }
      await queue.add(db, orgId, [{ payload, uniqueKey: `${id} ${due_at}`, dueAt: due_at }])
      afterCommit(queue.wake)
    },
  }
}
