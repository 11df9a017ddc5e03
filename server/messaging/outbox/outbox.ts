import { Type } from 'typebox'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Uploads } from '#server/messaging/media/uploads.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Lane } from '#server/platform/jobs/lane.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { unsupportedTypeCode } from '#server/whatsapp/errors/code-meanings.ts'
import { waitingReasonOf } from '#server/whatsapp/errors/errors.ts'
import type { Waiting } from '#shared/inbox/messages.ts'
import { type AttemptFacts, findBegun, insertAttempts, listAttempts } from './attempt-store.ts'
import { createFailQueued, type FailQueuedParts } from './fail-queued.ts'
import type { MessageFileParts } from './message-file.ts'
import {
  callsPerNumber,
  createHealthReport,
  numberKey,
  type OutboxClient,
  type OutboxNumbers,
  paceKeyConnection,
} from './numbers.ts'
import { conversationKey } from './order.ts'
import { createReactions, type SentReaction } from './reactions.ts'
import { createReceipts } from './receipts.ts'
import { longestWaitMs } from './retry.ts'
import { bulkRank, createSendMessage, type ReadyMessage } from './send-message.ts'
import { createSendOutcomes, type SendJob, type SendOutcomeParts, unconfirmedTimeoutMs } from './send-outcomes.ts'
import { type Spacing, shareOfProcess } from './spacing.ts'
import { findSends, isStillWaiting, type SendRow } from './store.ts'

export interface OutboxParts
  extends Pick<SendOutcomeParts, 'applyDelivery' | 'applyAccepted'>,
    Pick<MessageFileParts, 'headerFiles'>,
    Pick<FailQueuedParts, 'failMessages'> {
  /** WhatsApp refused the reaction: restores the previous one, unless it was changed since. */
  undoReaction(write: OrgWrite, reaction: SentReaction): Promise<void>
  clock: Clock
  log: Log
  jobs: Jobs
  writes: Pick<Writes, 'run' | 'runMany'>
  uploads: Pick<Uploads, 'enqueue' | 'cancel' | 'findRetrying'> & MessageFileParts['uploads']
  ids: (at?: number) => string
  numbers: OutboxNumbers
  /** Paces bulk messages. Absent: they leave as they are claimed. */
  spacing?: Spacing | undefined
  /** Bulk messages per second from a number. */
  bulkPerSecond(db: Db, orgId: string, connectionId: string): Promise<number>
}

interface InConversation {
  conversationId: string
  connectionId: string
}

/** The facts of a message that the caller stored in this transaction, so that it need not be read again. */
type FreshSend = Pick<SendRow, 'content' | 'to' | 'isUnconfirmedContact'>

export interface Outbox {
  /** Queues a message and the upload of its file, in the caller's transaction. The default lane is `person`. */
  enqueueMessage(
    write: OrgWrite,
    row: InConversation & { messageId: string; fileId?: string | undefined; lane?: Lane },
  ): Promise<void>
  /** Queues many messages of one lane, without files. */
  enqueueMessages(
    write: OrgWrite,
    rows: readonly (InConversation & { messageId: string; lane: Lane; fresh?: FreshSend })[],
  ): Promise<void>
  /** Bulk messages that may be queued for a number now; if none, `inMs` says when to ask again. Undefined: no limit. */
  bulkCapacity(connectionId: string): ReturnType<Spacing['capacity']> | undefined
  /** Marks messages as read up to these, at most one for each conversation. Replaces a receipt that still waits. */
  enqueueReads(write: OrgWrite, rows: readonly (InConversation & { wamid: string })[]): Promise<void>
  enqueueTyping(write: OrgWrite, row: InConversation & { wamid: string }): Promise<void>
  /** Queues a reaction. Reactions to one message are sent one after another. */
  enqueueReaction(write: OrgWrite, reaction: SentReaction): Promise<void>
  /**
   * Removes a queued message, in the caller's transaction. `inFlight`: the request is under way or its outcome is
   * unknown. `gone`: it is not queued.
   */
  cancelMessage(write: OrgWrite, messageId: string): Promise<'cancelled' | 'inFlight' | 'gone'>
  /** Removes queued messages, in the caller's transaction. Returns those that were queued. */
  cancelMessages(write: OrgWrite, messageIds: readonly string[]): Promise<readonly string[]>
  /** Returns the messages of one conversation that cannot be sent yet: why, and until when. */
  findWaiting(
    db: Db,
    orgId: string,
    of: { conversationId: string; messageIds: readonly string[] },
  ): Promise<ReadonlyMap<string, Waiting>>
  /** The last attempts of a message, oldest first. */
  listAttempts(db: Db, viewer: Viewer, of: { messageId: string; limit: number }): Promise<readonly AttemptFacts[]>
  /**
   * Fails everything that a number has not sent, because it is being disconnected: a first batch in this transaction,
   * the rest by a job. A message claimed in between fails when its number is looked up.
   */
  failQueued(write: OrgWrite, connectionId: string): Promise<void>
}

const callsAtOnce = 2048
const noAddress = 'NO_ADDRESS'

const Send = Type.Object({ messageId: Type.String() })

/**
 * Sends everything to WhatsApp. Messages of one conversation are sent in order, conversations in parallel; lane
 * `person` goes before `bot`, `bot` before `bulk`. The attempt is stored before its request. A request that may have
 * reached Meta without an answer is never repeated: it waits for a status that names the attempt.
 */
export function createOutbox(parts: OutboxParts): Outbox {
  const { clock, jobs, numbers, uploads, spacing } = parts
  const outcomes = createSendOutcomes({
    ...parts,
    pauseNumber: (trx, orgId, paceKey, ms) => jobs.rest(trx, orgId, paceKey, ms),
    scheduleUnconfirmedTimeout: (trx, orgId, messageId, dueAt) =>
      unconfirmedTimeouts.add(trx, orgId, [{ payload: { messageId }, uniqueKey: messageId, dueAt }]),
  })

  /** Why no request is made: a code fails the message, null ends the job without a change, undefined means send it. */
  const obstacle = (row: SendRow | undefined): string | null | undefined => {
    if (!row?.isWaiting) return null
    if (!row.content) return unsupportedTypeCode
    return row.to ? undefined : noAddress
  }

  const reportHealth = createHealthReport(parts)
  const sendMessage = createSendMessage(parts, { outcomes, reportHealth, messages: () => messages })

  const cancelMessages: Outbox['cancelMessages'] = async ({ db, orgId }, uniqueKeys) => {
    const waited = uniqueKeys.length ? await messages.cancelWaiting(db, orgId, { uniqueKeys }) : []
    await uploads.cancel(db, orgId, waited)
    return waited
  }

  /**
   * Updates the rates of numbers with bulk messages, shared among the processes. Settings may have changed since the
   * last claim.
   */
  const updateRates = async (db: Db, claimed: readonly SendJob[]) => {
    if (!spacing) return
    const byKey = new Map(claimed.filter(({ rank }) => rank === bulkRank).map(job => [job.paceKey, job.orgId]))
    for (const [key, orgId] of byKey) {
      const ofNumber = await parts.bulkPerSecond(db, orgId, paceKeyConnection(key))
      spacing.setRate(key, shareOfProcess(ofNumber, jobs.processes()))
    }
  }

  /** Bulk messages are sent as soon as they are claimed, so their number is looked up once for all of them. */
  const createClientLookup = () => {
    const clients = new Map<string, Promise<OutboxClient | undefined>>()
    return ({ rank, orgId, paceKey }: SendJob) => {
      if (rank !== bulkRank) return undefined
      const known = clients.get(paceKey)
      if (known) return known
      const client = numbers.findClient(orgId, paceKeyConnection(paceKey))
      // The rejection is handled where the promise is awaited. This avoids an unhandled rejection if it never is.
      client.catch(() => undefined)
      clients.set(paceKey, client)
      return client
    }
  }

  /** Messages that are being queued now. If they are claimed in the same commit, they need not be read again. */
  const fresh = new Map<string, SendRow>()

  const messages = jobs.register<typeof Send, ReadyMessage>({
    name: 'outbox.message',
    payload: Send,
    lane: 'person',
    atOnce: callsAtOnce,
    perOrg: callsPerNumber,
    hasGrace: true,
    endsTogether: true,
    looksWithinMs: longestWaitMs,
    free: ({ rank, paceKey }) => (rank === bulkRank ? spacing?.capacity(paceKey) : undefined),
    async claimed(writes, claimed) {
      const unread = claimed.flatMap(({ payload }) => (fresh.has(payload.messageId) ? [] : [payload.messageId]))
      const rows = await findSends(writes.db, unread)
      const found = new Map<number, { ready: ReadyMessage } | { over: ReturnType<typeof outcomes.unsent> }>()
      const attempts: Parameters<typeof insertAttempts>[1][number][] = []
      const at = isoNow(clock)
      await updateRates(writes.db, claimed)
      const clientFor = createClientLookup()
      for (const job of claimed) {
        const { messageId } = job.payload
        const row = fresh.get(messageId) ?? rows.get(messageId)
        const code = obstacle(row)
        if (code !== undefined || !row?.content) found.set(job.seq, { over: outcomes.unsent(job, code ?? undefined) })
        else {
          const callback = parts.ids()
          const send = { row: { ...row, content: row.content }, callback, attemptedAt: at, owner: jobs.presence.id() }
          found.set(job.seq, { ready: { ...send, client: clientFor(job) } })
          if (job.rank === bulkRank) spacing?.countClaimed(job.paceKey)
          else attempts.push({ orgId: job.orgId, messageId, callback, at })
        }
      }
      await insertAttempts(writes.db, attempts, {})
      return found
    },
    async unbegun(db, jobs) {
      const many = jobs.filter(({ rank }) => rank === bulkRank)
      const ids = many.map(({ payload }) => payload.messageId)
      const begun = new Set((await findBegun(db, ids, {})).map(row => row.message_id))
      return new Set(many.flatMap(({ seq, payload }) => (begun.has(payload.messageId) ? [] : [seq])))
    },
    run: async (job, { ready, signal }) => (ready ? sendMessage(job, ready, signal) : outcomes.unknown(job)),
    lost: outcomes.unknown,
  })

  const unconfirmedTimeouts = jobs.register<typeof Send, undefined>({
    name: 'outbox.unconfirmed',
    looksWithinMs: unconfirmedTimeoutMs,
    keepsTime: 'fromAdding',
    payload: Send,
    atOnce: 64,
    isKept: false,
    run: async job => outcomes.unconfirmedTimeout(job),
  })

  const { enqueueReads, enqueueTyping } = createReceipts({ ...parts, reportHealth })

  return {
    async enqueueMessage(write, row) {
      const { conversationId, connectionId, messageId, fileId, lane = 'person' } = row
      const orderKey = conversationKey(conversationId)
      const paceKey = numberKey(connectionId)
      if (fileId) await uploads.enqueue(write, { messageId, fileId, connectionId, orderKey, paceKey, lane })
      await messages.addAndBegin(write, { payload: { messageId }, lane, orderKey, paceKey, uniqueKey: messageId })
    },
    async enqueueMessages(write, rows) {
      for (const { messageId, conversationId, connectionId, fresh: known } of rows)
        if (known)
          fresh.set(messageId, {
            ...known,
            messageId,
            conversationId,
            connectionId,
            isWaiting: true,
            replyToWamid: null,
            lastErrorCode: null,
          })
      try {
        const added = rows.map(({ conversationId, connectionId, messageId, lane }) => ({
          payload: { messageId },
          lane,
          orderKey: conversationKey(conversationId),
          paceKey: numberKey(connectionId),
          uniqueKey: messageId,
        }))
        await messages.addAndBegin(write, ...added)
      } finally {
        for (const { messageId } of rows) fresh.delete(messageId)
      }
    },
    bulkCapacity: connectionId => spacing?.capacity(numberKey(connectionId)),
    enqueueReads,
    enqueueTyping,
    enqueueReaction: createReactions({ ...parts, reportHealth }),
    async cancelMessage(write, messageId) {
      if ((await cancelMessages(write, [messageId])).length) return 'cancelled'
      return (await isStillWaiting(write.db, messageId)) ? 'inFlight' : 'gone'
    },
    cancelMessages,
    listAttempts,

    async findWaiting(db, orgId, { conversationId, messageIds }) {
      const line = await messages.listLine(db, orgId, conversationKey(conversationId), messageIds)
      if (!line.length) return new Map()
      // The upload of a file precedes its message, with the same key.
      const first = (await uploads.findRetrying(db, orgId, conversationKey(conversationId))) ?? line[0]
      if (!first || first.state === 'running' || first.startsAt <= isoNow(clock)) return new Map()
      const reason = first.state === 'retrying' && first.reason ? waitingReasonOf(first.reason) : 'limit'
      const reasonOf = (key: string) => (key === first.uniqueKey ? reason : ('order' as const))
      return new Map(
        line.flatMap(({ uniqueKey: key, state }) =>
          key && state !== 'running' ? [[key, { reason: reasonOf(key), until: first.startsAt }]] : [],
        ),
      )
    },
    failQueued: createFailQueued({ ...parts, messages }),
  }
}
