import { Type } from 'typebox'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Lane, rankOf } from '#server/platform/jobs/lane.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { tokenRefusedCode, unsupportedTypeCode } from '#server/whatsapp/code-meanings.ts'
import { waitingReasonOf } from '#server/whatsapp/errors.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { Waiting } from '#shared/inbox/messages.ts'
import type { Uploads } from '../media/uploads.ts'
import { type AttemptFacts, findBegun, insertAttempts, listAttempts } from './attempt-store.ts'
import { createFates, type FateParts, type SendJob, unknownMs } from './fate.ts'
import { createGivingUp, type GivingUpParts } from './giving-up.ts'
import { createMarking } from './marking.ts'
import { createMessageFile, type MessageFileParts } from './message-file.ts'
import {
  callsPerNumber,
  connectionOf,
  createHealthReport,
  notConnected,
  numberKey,
  type OutboxClient,
  type OutboxNumbers,
} from './numbers.ts'
import { conversationKey } from './order.ts'
import { createReactions, type SentReaction } from './reactions.ts'
import { createReceipts } from './receipts.ts'
import { addressFor, decide, longestWaitMs } from './retry.ts'
import { type Answer, send } from './sender.ts'
import { type OnItsWay, partOf, type Spacing } from './spacing.ts'
import { findSends, isStillWaiting, type SendRow } from './store.ts'

export interface OutboxParts
  extends Pick<FateParts, 'applyDelivery' | 'applyAccepted'>,
    Pick<MessageFileParts, 'headerFiles'>,
    Pick<GivingUpParts, 'failMessages'> {
  /** The reaction never reached the customer: what stood before is shown again, unless it was changed since. */
  undoReaction(write: OrgWrite, reaction: SentReaction): Promise<void>
  clock: Clock
  log: Log
  jobs: Jobs
  writes: Pick<Writes, 'run' | 'runMany'>
  uploads: Pick<Uploads, 'enqueue' | 'cancel' | 'findRetrying'> & MessageFileParts['uploads']
  ids: (at?: number) => string
  numbers: OutboxNumbers
  /** How what goes to many leaves one after another; absent: as it comes. */
  spacing?: Spacing | undefined
  /** So many a second of it leave by a number. */
  perSecondToMany(db: Db, orgId: string, connectionId: string): Promise<number>
}

/** Where something that leaves belongs: the conversation, and the number it is held on. */
interface OfConversation {
  conversationId: string
  connectionId: string
}

/** What is known of a message that was stored in the same transaction, and has not been tried. */
export type FreshSend = Pick<SendRow, 'content' | 'to' | 'isUnconfirmedContact'>

export interface Outbox {
  /** A message that has to leave, after its file, in the caller's transaction. Lane `person` unless said. */
  enqueueMessage(
    write: OrgWrite,
    row: OfConversation & { messageId: string; fileId?: string | undefined; lane?: Lane },
  ): Promise<void>
  /** Many of one lane at once, without files. */
  enqueueMessages(
    write: OrgWrite,
    rows: readonly (OfConversation & { messageId: string; lane: Lane; fresh?: FreshSend })[],
  ): Promise<void>
  /** So many of what goes to many may leave by a number now; with none, in how long. Undefined: as many as there are. */
  bulkCapacity(connectionId: string): ReturnType<Spacing['free']> | undefined
  /** Read receipts up to these inbound messages, one of a conversation; a newer one replaces one that still waits. */
  enqueueReads(write: OrgWrite, rows: readonly (OfConversation & { wamid: string })[]): Promise<void>
  enqueueTyping(write: OrgWrite, row: OfConversation & { wamid: string }): Promise<void>
  /** A reaction as it now stands. Those to one message leave one after another. */
  enqueueReaction(write: OrgWrite, reaction: SentReaction): Promise<void>
  /**
   * Takes back a message that waits, in the caller's transaction. `inFlight`: the call is under way, or nobody knows how
   * it ended. `gone`: nothing of it waits.
   */
  cancelMessage(write: OrgWrite, messageId: string): Promise<'cancelled' | 'inFlight' | 'gone'>
  /** The same for many; answers which of them waited. */
  cancelMessages(write: OrgWrite, messageIds: readonly string[]): Promise<readonly string[]>
  /** Which of these messages of one conversation have to wait: why, and until when. Those that leave now are not in it. */
  findWaiting(
    db: Db,
    orgId: string,
    of: { conversationId: string; messageIds: readonly string[] },
  ): Promise<ReadonlyMap<string, Waiting>>
  /** The last calls of a message, oldest first. */
  listAttempts(db: Db, viewer: Viewer, of: { messageId: string; limit: number }): Promise<readonly AttemptFacts[]>
  /**
   * Gives up everything that has not left through a number, because it goes: the first in this write, the others in
   * batches after it, and what is claimed in between when its number is asked for.
   */
  failQueued(write: OrgWrite, connectionId: string): Promise<void>
}

const callsAtOnce = 2048
const ofMany = rankOf('bulk')
/** How long a message rests whose organization's number could not even be asked for. */
const orgTroubleMs = 30_000
const noAddress = 'NO_ADDRESS'

const Send = Type.Object({ messageId: Type.String() })

interface Ready {
  row: SendRow & { content: OutboundMessage }
  callback: string
  attemptedAt: string
  /** The process at work that claimed it; one that stood still goes on as another. */
  owner: string
  /** Asked for once for many that were claimed together. */
  client: Promise<OutboxClient | undefined> | undefined
}

/**
 * Everything that leaves for WhatsApp. Messages of one conversation leave in order, conversations side by side; a
 * person's before a bot's before a bulk send's. The attempt is on disk before its call, of what goes to many just
 * before it, and a call that may have reached Meta without an answer is never repeated: it waits for a status that names the attempt.
 */
export function createOutbox(parts: OutboxParts): Outbox {
  const { clock, log, jobs, numbers, uploads, spacing } = parts
  const fates = createFates({
    ...parts,
    restNumber: (trx, orgId, paceKey, ms) => jobs.rest(trx, orgId, paceKey, ms),
    addVerdict: (trx, orgId, messageId, dueAt) =>
      verdicts.add(trx, orgId, [{ payload: { messageId }, uniqueKey: messageId, dueAt }]),
  })

  /** Why a message is not worth a call: a code that fails it, null to close it quietly, undefined when it is. */
  const obstacle = (row: SendRow | undefined): string | null | undefined => {
    if (!row?.isWaiting) return null
    if (!row.content) return unsupportedTypeCode
    return row.to ? undefined : noAddress
  }

  const reportHealth = createHealthReport(parts)
  const file = createMessageFile(parts)

  const cancelMessages: Outbox['cancelMessages'] = async ({ db, orgId }, uniqueKeys) => {
    const waited = uniqueKeys.length ? await messages.cancelWaiting(db, orgId, { uniqueKeys }) : []
    await uploads.cancel(db, orgId, waited)
    return waited
  }

  const mark = createMarking({ ...parts, messages: () => messages })
  /** Of what goes to many: its turn, and that it leaves is on disk. Undefined: it does not leave. */
  const departOf = async (job: SendJob, claimed: Ready): Promise<{ way?: OnItsWay; at: string } | undefined> => {
    let at: string | undefined
    const marked = async () => {
      at = await mark(job, claimed)
      return at !== undefined
    }
    const way = spacing ? await spacing.reach(job.paceKey, marked) : (await marked()) || undefined
    return way && at !== undefined ? { at, ...(way === true ? {} : { way }) } : undefined
  }

  const sendMessage = async (job: SendJob, claimed: Ready, signal: AbortSignal): Promise<Outcome> => {
    const { row, callback, client: asked } = claimed
    let client: OutboxClient | undefined
    try {
      client = await (asked ?? numbers.clientOf(job.orgId, row.connectionId))
    } catch (error) {
      log.error({ err: error, orgId: job.orgId }, 'what an organization has to send waits')
      return fates.notTried(callback, orgTroubleMs, 'NUMBER_UNUSABLE')
    }
    if (!client) return fates.unsent(job, notConnected, callback)
    const { status, statusReason } = client.connection
    if (status === 'reauthorise') return fates.unsent(job, statusReason ?? tokenRefusedCode, callback)
    const facts = { ...row, to: row.to ?? '', attempts: job.attempts - 1 }
    const to = addressFor(facts)
    const { number } = client
    const copy = await file.of(number, job.orgId, row, signal)
    let depart: Awaited<ReturnType<typeof departOf>> = { at: claimed.attemptedAt }
    try {
      if (job.rank === ofMany) depart = await departOf(job, claimed)
    } catch (error) {
      log.error({ err: error, orgId: job.orgId }, 'what goes to many waits for the database')
      return fates.notTried(callback, orgTroubleMs, 'NOT_WRITTEN')
    }
    if (!depart) return { kind: 'gone' }
    const { way } = depart
    const ready = { ...claimed, attemptedAt: depart.at }
    const what = { kind: 'message', to, replyToWamid: row.replyToWamid ?? undefined, callback } as const
    const sendWith = ({ content, uploaded }: Exclude<typeof copy, WhatsAppError>) =>
      send({ number, what: { ...what, content, uploadedId: uploaded?.providerId }, onWire: way?.written }, signal)
    const answer: Answer = copy instanceof WhatsAppError ? { error: copy } : await sendWith(copy)
    if (answer.accepted || answer.error?.httpStatus) way?.answered()
    await reportHealth(job.orgId, client.connection, answer)
    const { accepted, error } = answer
    if (accepted) return fates.accepted(job, callback, accepted)
    if (!error) return fates.lost(job)
    if (!(copy instanceof WhatsAppError) && (await file.isLost(job.orgId, row, copy, error)))
      return fates.refused(job, ready, error, { kind: 'retry', afterMs: 0 })
    return fates.refused(job, ready, error, decide(error, { ...facts, tries: job.attempts, to }))
  }

  /** However fast what goes to many leaves now, shared among the processes; rows may have changed since the last look. */
  const learnPaces = async (db: Db, claimed: readonly SendJob[]) => {
    if (!spacing) return
    const byKey = new Map(claimed.filter(({ rank }) => rank === ofMany).map(job => [job.paceKey, job.orgId]))
    for (const [key, orgId] of byKey) {
      const ofNumber = await parts.perSecondToMany(db, orgId, connectionOf(key))
      spacing.setPace(key, partOf(ofNumber, jobs.processes()))
    }
  }

  /** What goes to many leaves as soon as it is claimed, so its number is looked at once for all of them. */
  const clientsOf = () => {
    const asked = new Map<string, Promise<OutboxClient | undefined>>()
    return ({ rank, orgId, paceKey }: SendJob) => {
      if (rank !== ofMany) return undefined
      const known = asked.get(paceKey)
      if (known) return known
      const client = numbers.clientOf(orgId, connectionOf(paceKey))
      // Heard where it is awaited, if it ever is.
      client.catch(() => undefined)
      asked.set(paceKey, client)
      return client
    }
  }

  /** While they are added; those that begin by it are not read again. */
  const fresh = new Map<string, SendRow>()

  const messages = jobs.register<typeof Send, Ready>({
    name: 'outbox.message',
    payload: Send,
    lane: 'person',
    atOnce: callsAtOnce,
    perOrg: callsPerNumber,
    hasGrace: true,
    endsTogether: true,
    looksWithinMs: longestWaitMs,
    free: ({ rank, paceKey }) => (rank === ofMany ? spacing?.free(paceKey) : undefined),
    async claimed(writes, claimed) {
      const unread = claimed.flatMap(({ payload }) => (fresh.has(payload.messageId) ? [] : [payload.messageId]))
      const rows = await findSends(writes.db, unread)
      const found = new Map<number, { ready: Ready } | { over: ReturnType<typeof fates.unsent> }>()
      const attempts: Parameters<typeof insertAttempts>[1][number][] = []
      const at = isoNow(clock)
      await learnPaces(writes.db, claimed)
      const clientFor = clientsOf()
      for (const job of claimed) {
        const { messageId } = job.payload
        const row = fresh.get(messageId) ?? rows.get(messageId)
        const code = obstacle(row)
        if (code !== undefined || !row?.content) found.set(job.seq, { over: fates.unsent(job, code ?? undefined) })
        else {
          const callback = parts.ids()
          const send = { row: { ...row, content: row.content }, callback, attemptedAt: at, owner: jobs.presence.id() }
          found.set(job.seq, { ready: { ...send, client: clientFor(job) } })
          if (job.rank === ofMany) spacing?.take(job.paceKey)
          else attempts.push({ orgId: job.orgId, messageId, callback, at })
        }
      }
      await insertAttempts(writes.db, attempts, {})
      return found
    },
    async unbegun(db, jobs) {
      const many = jobs.filter(({ rank }) => rank === ofMany)
      const ids = many.map(({ payload }) => payload.messageId)
      const begun = new Set((await findBegun(db, ids, {})).map(row => row.message_id))
      return new Set(many.flatMap(({ seq, payload }) => (begun.has(payload.messageId) ? [] : [seq])))
    },
    run: async (job, { ready, signal }) => (ready ? sendMessage(job, ready, signal) : fates.lost(job)),
    lost: fates.lost,
  })

  const verdicts = jobs.register<typeof Send, undefined>({
    name: 'outbox.unconfirmed',
    looksWithinMs: unknownMs,
    keepsTime: 'fromAdding',
    payload: Send,
    atOnce: 64,
    isKept: false,
    run: async job => fates.verdict(job),
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
    bulkCapacity: connectionId => spacing?.free(numberKey(connectionId)),
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
      // A file stands before its message, under the same key.
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
    failQueued: createGivingUp({ ...parts, messages }),
  }
}
