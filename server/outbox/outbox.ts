import { type Static, Type } from 'typebox'
import type { Waiting } from '#shared/inbox.ts'
import type { OutboundMessage } from '#shared/outbound.ts'
import { type Clock, isoNow } from '../clock.ts'
import type { Db } from '../db.ts'
import { systemActor } from '../events/actors.ts'
import type { OrgWrite, Writes } from '../events/writes.ts'
import type { Outcome } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Lane } from '../jobs/lane.ts'
import type { Log } from '../log.ts'
import type { UploadedFile, Uploads } from '../media/uploads.ts'
import { blocksAccount, mayMeanLostFile, tokenRefusedCode, unsupportedTypeCode } from '../whatsapp/code-meanings.ts'
import { waitingReasonOf } from '../whatsapp/errors.ts'
import { WhatsAppError, type WhatsAppNumber } from '../whatsapp/provider.ts'
import { insertAttempts } from './attempt-store.ts'
import { createFates, type FateParts, type SendJob } from './fate.ts'
import { conversationKey } from './order.ts'
import { addressFor, decide } from './retry.ts'
import { type Answer, send } from './sender.ts'
import { findSends, isStillWaiting, type SendRow } from './store.ts'

/** What the customer is to see on one message; `emoji` empty: nothing any more. `before`: what stood there. */
export interface SentReaction {
  messageId: string
  connectionId: string
  targetWamid: string
  to: string
  emoji: string
  before: string
  at: string
}

export interface OutboxParts extends Pick<FateParts, 'applyDelivery'> {
  /** The reaction never reached the customer: what stood before is shown again, unless it was changed since. */
  undoReaction(write: OrgWrite, reaction: SentReaction): Promise<void>
  clock: Clock
  log: Log
  jobs: Jobs
  writes: Pick<Writes, 'run'>
  uploads: Pick<Uploads, 'enqueue' | 'cancel' | 'findRetrying' | 'ensure' | 'forget'>
  ids: (at?: number) => string
  numbers: {
    clientOf(orgId: string, connectionId?: string): Promise<OutboxClient | undefined>
    markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
    markBlocked(orgId: string, connectionId: string, reason: string): Promise<void>
    markWorking(orgId: string, connectionId: string): Promise<void>
  }
}

interface OutboxClient {
  number: WhatsAppNumber
  connection: { id: string; status: string; statusReason: string | null }
}

/** Where something that leaves belongs: the conversation, and the number it is held on. */
interface OfConversation {
  conversationId: string
  connectionId: string
}

export interface Outbox {
  /** A message that has to leave, after its file, in the caller's transaction. Lane `person` unless said. */
  enqueueMessage(
    write: OrgWrite,
    row: OfConversation & { messageId: string; fileId?: string | undefined; lane?: Lane },
  ): Promise<void>
  /** Many of one lane at once, without files; none is begun in the caller's transaction. */
  enqueueMessages(write: OrgWrite, rows: readonly (OfConversation & { messageId: string; lane: Lane })[]): Promise<void>
  /** A read receipt up to this inbound message; a newer one replaces one that still waits. */
  enqueueRead(write: OrgWrite, row: OfConversation & { wamid: string }): Promise<void>
  enqueueTyping(write: OrgWrite, row: OfConversation & { wamid: string }): Promise<void>
  /** A reaction as it now stands. Those to one message leave one after another. */
  enqueueReaction(write: OrgWrite, reaction: SentReaction): Promise<void>
  /**
   * Takes back a message that waits, in the caller's transaction. `inFlight`: the call is under way, or nobody knows how
   * it ended. `gone`: nothing of it waits.
   */
  cancelMessage(write: OrgWrite, messageId: string): Promise<'cancelled' | 'inFlight' | 'gone'>
  /** Which of these messages of one conversation have to wait: why, and until when. Those that leave now are not in it. */
  findWaiting(
    db: Db,
    orgId: string,
    of: { conversationId: string; messageIds: readonly string[] },
  ): Promise<ReadonlyMap<string, Waiting>>
  /**
   * Gives up everything that has not left through a number, because it goes: the first in this write, the others in
   * batches after it, and what is claimed in between when its number is asked for.
   */
  failQueued(write: OrgWrite, connectionId: string): Promise<void>
}

const callsAtOnce = 256
const callsPerNumber = 16
/** Typing shows for 25 seconds; later it would be a lie. */
const typingMs = 25_000
const receiptTries = 2
const reactionTries = 5
const reactionPauseMs = 4_000
const receiptPauseMs = 4_000
/** How long a message rests whose organization's number could not even be asked for. */
const orgTroubleMs = 30_000
/** What shares a number's pace. */
const numberKey = (connectionId: string) => `number ${connectionId}`

/** No number is connected, or it went while the message waited. */
const notConnected = 'NOT_CONNECTED'
const noAddress = 'NO_ADDRESS'

/** A dozen statements each. */
const givenUpAtOnce = 40

const Send = Type.Object({ messageId: Type.String() })
const Receipt = Type.Object({
  kind: Type.Union([Type.Literal('read'), Type.Literal('typing')]),
  wamid: Type.String(),
  /** Absent in rows of the time when an organization had one number. */
  connectionId: Type.Optional(Type.String()),
})

const Reaction = Type.Object({
  messageId: Type.String(),
  connectionId: Type.String(),
  targetWamid: Type.String(),
  to: Type.String(),
  emoji: Type.String(),
  before: Type.String(),
  at: Type.String(),
})

const Gone = Type.Object({ connectionId: Type.String(), after: Type.String() })

interface Ready {
  row: SendRow & { content: OutboundMessage }
  callback: string
}

/**
 * Everything that leaves for WhatsApp. Messages of one conversation leave in order, conversations side by side; a
 * person's before a bot's before a bulk send's. The attempt is on disk before its call, and a call that may have
 * reached Meta without an answer is never repeated: it waits for a status that names the attempt.
 */
export function createOutbox(parts: OutboxParts): Outbox {
  const { clock, log, jobs, numbers, uploads } = parts
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

  /** What the answers tell about the number itself. */
  const reportHealth = async (
    orgId: string,
    { id, status }: OutboxClient['connection'],
    { accepted, error }: Answer,
  ) => {
    try {
      if (error?.retry === 'credentials') await numbers.markReauthorise(orgId, id, error.code)
      else if (error && blocksAccount(error.code)) await numbers.markBlocked(orgId, id, error.code)
      else if (accepted && status === 'blocked') await numbers.markWorking(orgId, id)
    } catch (error) {
      log.error({ err: error, orgId, connectionId: id }, 'the state of a number could not be stored')
    }
  }

  /** WhatsApp's copy of the file of a message, there already unless something went wrong; undefined: it has none. */
  const fileOf = async (
    number: WhatsAppNumber,
    orgId: string,
    { content, connectionId }: Ready['row'],
    signal: AbortSignal,
  ): Promise<UploadedFile | WhatsAppError | undefined> => {
    if (content.type !== 'file') return undefined
    try {
      return await uploads.ensure(number, orgId, { fileId: content.fileId, connectionId }, signal)
    } catch (error) {
      if (error instanceof WhatsAppError) return error
      log.error({ err: error, orgId }, 'a file could not be made ready')
      return new WhatsAppError({
        code: 'UPLOAD_FAILED',
        retry: 'quick',
        message: 'the file could not be read',
        cause: error,
      })
    }
  }

  /** A copy that was made for another message is gone at WhatsApp: it is made anew, once. */
  const isFileLost = async (
    orgId: string,
    { content, connectionId }: Ready['row'],
    file: Awaited<ReturnType<typeof fileOf>>,
    { code }: WhatsAppError,
  ): Promise<boolean> => {
    if (content.type !== 'file' || !file || file instanceof WhatsAppError) return false
    if (file.isFresh || !mayMeanLostFile(code)) return false
    await uploads.forget(orgId, { fileId: content.fileId, connectionId }, file.providerId)
    return true
  }

  const sendMessage = async (job: SendJob, { row, callback }: Ready, signal: AbortSignal) => {
    let client: OutboxClient | undefined
    try {
      client = await numbers.clientOf(job.orgId, row.connectionId)
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
    const file = await fileOf(number, job.orgId, row, signal)
    const { content, replyToWamid } = row
    const what = { kind: 'message', to, content, replyToWamid: replyToWamid ?? undefined, callback } as const
    const answer: Answer =
      file instanceof WhatsAppError
        ? { error: file }
        : await send({ number, what: { ...what, uploadedId: file?.providerId } }, signal)
    await reportHealth(job.orgId, client.connection, answer)
    const { accepted, error } = answer
    if (accepted) return fates.accepted(job, callback, accepted)
    if (!error) return fates.lost(job)
    if (await isFileLost(job.orgId, row, file, error))
      return fates.refused(job, callback, error, { kind: 'retry', afterMs: 0 })
    return fates.refused(job, callback, error, decide(error, { ...facts, tries: job.attempts, to }))
  }

  const messages = jobs.register<typeof Send, Ready>({
    name: 'outbox.message',
    payload: Send,
    lane: 'person',
    atOnce: callsAtOnce,
    perOrg: callsPerNumber,
    hasGrace: true,
    async claimed(writes, claimed) {
      const rows = await findSends(
        writes.db,
        claimed.map(job => job.payload.messageId),
      )
      const found = new Map<number, { ready: Ready } | { over: ReturnType<typeof fates.unsent> }>()
      const attempts: Parameters<typeof insertAttempts>[1][number][] = []
      const at = isoNow(clock)
      for (const job of claimed) {
        const { messageId } = job.payload
        const row = rows.get(messageId)
        const code = obstacle(row)
        if (code !== undefined || !row?.content) found.set(job.seq, { over: fates.unsent(job, code ?? undefined) })
        else {
          const callback = parts.ids()
          found.set(job.seq, { ready: { row: { ...row, content: row.content }, callback } })
          attempts.push({ orgId: job.orgId, messageId, callback, at })
        }
      }
      await insertAttempts(writes.db, attempts)
      return found
    },
    run: async (job, { ready, signal }) => (ready ? sendMessage(job, ready, signal) : fates.lost(job)),
    lost: fates.lost,
  })

  const verdicts = jobs.register<typeof Send, undefined>({
    name: 'outbox.unconfirmed',
    payload: Send,
    atOnce: 64,
    isKept: false,
    run: async job => fates.verdict(job),
  })

  const receipts = jobs.register<typeof Receipt, undefined>({
    name: 'outbox.receipt',
    payload: Receipt,
    atOnce: 64,
    perOrg: callsPerNumber,
    isKept: false,
    async run({ orgId, payload, attempts, dueAt }, { signal }) {
      const { kind, wamid, connectionId } = payload
      const isLate = kind === 'typing' && clock.now().getTime() - Date.parse(dueAt) > typingMs
      const client = isLate ? undefined : await numbers.clientOf(orgId, connectionId)
      if (!client || client.connection.status === 'reauthorise') return undefined
      const { error } = await send({ number: client.number, what: { kind, wamid } }, signal)
      if (!error) return undefined
      const isRepeatable = error.retry === 'later' || error.retry === 'quick'
      const isAgain = isRepeatable && kind === 'read' && attempts < receiptTries
      log.info({ orgId, kind, code: error.code, isAgain }, 'a receipt was not taken')
      await reportHealth(orgId, client.connection, { error })
      return isAgain ? { kind: 'retry', afterMs: error.retryAfterMs ?? receiptPauseMs, reason: error.code } : undefined
    },
    /** A courtesy: forgotten. */
    lost: () => ({ kind: 'done' }),
  })

  const undo = (orgId: string, reaction: SentReaction, reason: string): Outcome => ({
    kind: 'failed',
    reason,
    write: writes => parts.undoReaction(writes.of(orgId), reaction),
  })

  /** The last one stands, so a call that may have arrived is simply made again. */
  const reactions = jobs.register<typeof Reaction, undefined>({
    name: 'outbox.reaction',
    payload: Reaction,
    lane: 'person',
    atOnce: 64,
    perOrg: callsPerNumber,
    isKept: false,
    async run({ orgId, payload, attempts }, { signal }) {
      const client = await numbers.clientOf(orgId, payload.connectionId)
      if (!client || client.connection.status === 'reauthorise') return undo(orgId, payload, notConnected)
      const { to, targetWamid, emoji } = payload
      const answer = await send({ number: client.number, what: { kind: 'reaction', to, targetWamid, emoji } }, signal)
      await reportHealth(orgId, client.connection, answer)
      const { error } = answer
      if (!error) return undefined
      const isRepeatable = error.retry === 'later' || error.retry === 'quick' || error.retry === 'unknown'
      if (!isRepeatable || attempts >= reactionTries) return undo(orgId, payload, error.code)
      return { kind: 'retry', afterMs: error.retryAfterMs ?? reactionPauseMs * attempts, reason: error.code }
    },
    lost: ({ orgId, payload, attempts }) =>
      attempts < reactionTries ? { kind: 'retry', afterMs: 0, reason: 'LOST' } : undo(orgId, payload, 'LOST'),
  })

  /** Some of what waits for a number that went; answers where to go on, undefined: nothing is left. */
  const giveUpSome = async (write: OrgWrite, { connectionId, after }: Static<typeof Gone>, before: number) => {
    const page = { paceKey: numberKey(connectionId), after, before, limit: givenUpAtOnce }
    const messageIds = await messages.cancelPaced(write.db, write.orgId, page)
    await uploads.cancel(write.db, write.orgId, messageIds)
    for (const messageId of messageIds) await fates.fail(write, messageId, notConnected)
    return messageIds.length < givenUpAtOnce ? undefined : messageIds.at(-1)
  }

  const gone = jobs.register<typeof Gone, undefined>({
    name: 'outbox.gone',
    payload: Gone,
    lane: 'person',
    atOnce: 2,
    isKept: false,
    async run({ orgId, payload, seq }, { signal }) {
      const next = { ...payload }
      while (!signal.aborted) {
        // What was added after it belongs to the number as it was connected again.
        const last = await parts.writes.run(orgId, systemActor('outbox'), write => giveUpSome(write, next, seq))
        if (last === undefined) return undefined
        next.after = last
      }
      return { kind: 'released' }
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const enqueueReceipt = async (
    { db, orgId, afterCommit }: OrgWrite,
    kind: 'read' | 'typing',
    { conversationId, connectionId, wamid }: OfConversation & { wamid: string },
  ) => {
    const uniqueKey = `${kind} ${conversationId}`
    await receipts.cancel(db, orgId, [uniqueKey])
    const payload = { kind, wamid, connectionId }
    await receipts.add(db, orgId, [{ payload, uniqueKey, paceKey: numberKey(connectionId) }])
    afterCommit(jobs.wake)
  }

  return {
    async enqueueMessage(write, row) {
      const { conversationId, connectionId, messageId, fileId, lane = 'person' } = row
      const orderKey = conversationKey(conversationId)
      const paceKey = numberKey(connectionId)
      if (fileId) await uploads.enqueue(write, { messageId, fileId, connectionId, orderKey, paceKey, lane })
      await messages.addAndBegin(write, { payload: { messageId }, lane, orderKey, paceKey, uniqueKey: messageId })
    },
    async enqueueMessages({ db, orgId, afterCommit }, rows) {
      const added = rows.map(({ conversationId, connectionId, messageId, lane }) => ({
        payload: { messageId },
        lane,
        orderKey: conversationKey(conversationId),
        paceKey: numberKey(connectionId),
        uniqueKey: messageId,
      }))
      if (await messages.add(db, orgId, added)) afterCommit(jobs.wake)
    },
    enqueueRead: (write, row) => enqueueReceipt(write, 'read', row),
    enqueueTyping: (write, row) => enqueueReceipt(write, 'typing', row),
    async enqueueReaction({ db, orgId, afterCommit }, reaction) {
      const orderKey = `reaction ${reaction.messageId}`
      await reactions.add(db, orgId, [{ payload: reaction, orderKey, paceKey: numberKey(reaction.connectionId) }])
      afterCommit(jobs.wake)
    },
    async cancelMessage({ db, orgId }, messageId) {
      if ((await messages.cancelWaiting(db, orgId, { uniqueKeys: [messageId] })).length) {
        await uploads.cancel(db, orgId, [messageId])
        return 'cancelled'
      }
      return (await isStillWaiting(db, messageId)) ? 'inFlight' : 'gone'
    },
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
    async failQueued(write, connectionId) {
      const after = await giveUpSome(write, { connectionId, after: '' }, Number.MAX_SAFE_INTEGER)
      if (after === undefined) return
      await gone.add(write.db, write.orgId, [{ payload: { connectionId, after } }])
      write.afterCommit(jobs.wake)
    },
  }
}
