import { isoIn, isoNow } from '../clock.ts'
import { type Db, inTransaction, isDatabaseTrouble } from '../db.ts'
import type { EventDraft } from '../live/hub.ts'
import type { WhatsAppNumber } from '../whatsapp/provider.ts'
import { addressFor } from './retry.ts'
import { send } from './sender.ts'
import { createSettlement, type Job, type Result, receiptTries, type SettlementParts } from './settlement.ts'
import {
  type DueRow,
  deleteDone,
  dropQueuedReceipts,
  insertAttempts,
  insertOutboxRow,
  listDue,
  nextDueAt,
  takeRows,
} from './store.ts'

export interface OutboxParts extends SettlementParts {
  ids: (at?: number) => string
  numbers: {
    clientOf(orgId: string): Promise<OutboxClient | undefined>
    markReauthorise(orgId: string, reason: string): Promise<void>
    markBlocked(orgId: string, reason: string): Promise<void>
    markWorking(orgId: string): Promise<void>
  }
}

interface OutboxClient {
  number: WhatsAppNumber
  connection: { status: string; statusReason: string | null }
}

export interface Outbox {
  /** Writes the message's row in the caller's transaction; call `wake` after the commit. */
  enqueueMessage(trx: Db, orgId: string, row: { conversationId: string; messageId: string }): Promise<void>
  /** A read receipt up to this inbound message; a newer one replaces one that still waits. */
  enqueueRead(trx: Db, orgId: string, row: { conversationId: string; wamid: string }): Promise<void>
  enqueueTyping(trx: Db, orgId: string, row: { conversationId: string; wamid: string }): Promise<void>
  /** Gives up everything of an organization that has not left, because its number goes. Drafts for the caller's record. */
  failQueued(trx: Db, orgId: string): Promise<EventDraft[]>
  /** Something was committed that may be sent now. */
  wake(): void
  /** Settles what a dead process left in flight, then sends. */
  start(): void
  /** Takes no more work, lets calls in flight end for at most seven seconds, records how they ended. */
  stop(): Promise<void>
  /** Resolves when nothing is due and nothing in flight. For tests. */
  idle(): Promise<void>
  /** Deletes settled rows older than a day; answers how many went. */
  prune(): Promise<number>
}

const callsPerNumber = 16
const rowsPerClaim = 64
/** Typing shows for 25 seconds; later it would be a lie. */
const typingMs = 25_000
const longestSleepMs = 60_000
const troubleMs = 1000
/** How long an organization rests whose rows could not even be tried. */
const orgTroubleMs = 30_000
const graceMs = 7000
const keptMs = 24 * 60 * 60 * 1000
const deletedAtOnce = 500

const blocking = new Set(['368', '131031'])
/** No number is connected, or it went while the message waited. */
const notConnected = 'NOT_CONNECTED'
const noAddress = 'NO_ADDRESS'
const unsupported = '131051'
const tokenRefused = '190'

const nextTurn = () => new Promise<void>(resolve => setImmediate(resolve))

/**
 * Everything that leaves for WhatsApp: the row first, then the call. Messages of one conversation leave in order,
 * conversations side by side. A call that may have reached Meta without an answer is never repeated; it waits for a
 * status that names the attempt. Every wait is a row, so that a restart forgets nothing.
 */
export function createOutbox(parts: OutboxParts): Outbox {
  const { databases, clock, log, numbers } = parts
  const settlement = createSettlement(parts)
  const busy = new Map<string, number>()
  const pausedUntil = new Map<string, number>()
  const calls = new Set<Promise<void>>()
  const aborter = new AbortController()
  let results: Result[] = []
  let flushing: Promise<void> | undefined
  let running: Promise<void> | undefined
  let again = false
  let started = false
  let recovered = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  /** Why a row is not worth a call: a code that fails it, null to close it quietly, undefined when it is. */
  const obstacle = (row: DueRow): string | null | undefined => {
    if (row.kind === 'typing') return clock.now().getTime() - Date.parse(row.dueAt) > typingMs ? null : undefined
    if (row.kind === 'read') return row.attempts >= receiptTries ? null : undefined
    if (!row.message?.isWaiting) return null
    if (row.message.type !== 'text') return unsupported
    return row.to ? undefined : noAddress
  }

  const jobOf = (row: DueRow, { number, connection }: OutboxClient): Job => ({
    row,
    number,
    connectionStatus: connection.status,
    kind: row.kind,
    to: row.to === null ? '' : addressFor({ ...row, to: row.to }),
    text: row.message?.text ?? '',
    replyToWamid: row.message?.replyToWamid ?? undefined,
    targetWamid: row.targetWamid ?? '',
    callback: parts.ids(),
  })

  /** Puts rows in flight with their attempts, in one commit, and only then lets the calls go. */
  const launch = async (rows: readonly DueRow[], client: OutboxClient) => {
    const at = isoNow(clock)
    const jobs = rows.map(row => jobOf(row, client))
    const taken = await inTransaction(databases, async trx => {
      const seqs = await takeRows(
        trx,
        rows.map(row => row.seq),
        at,
      )
      const attempts = jobs.flatMap(({ row, callback }) =>
        row.messageId && seqs.has(row.seq) ? [{ orgId: row.orgId, messageId: row.messageId, callback, at }] : [],
      )
      await insertAttempts(trx, attempts)
      return seqs
    })
    for (const job of jobs) if (taken.has(job.row.seq)) run(job)
  }

  const run = (job: Job) => {
    const { orgId } = job.row
    busy.set(orgId, (busy.get(orgId) ?? 0) + 1)
    const call = send(job, aborter.signal).then(answer => {
      results.push({ job, answer })
      calls.delete(call)
      flushSoon()
    })
    calls.add(call)
  }

  const flushSoon = () => {
    flushing ??= nextTurn()
      .then(flush)
      .finally(() => {
        flushing = undefined
        if (results.length) flushSoon()
        else kick()
      })
  }

  const flush = async () => {
    const batch = results
    results = []
    try {
      const rests = await settlement.answers(batch)
      for (const [orgId, ms] of rests) pausedUntil.set(orgId, clock.now().getTime() + ms)
    } catch (error) {
      log.error({ err: error, answers: batch.length }, 'answers wait for the database')
      // At the end what cannot be stored stays in flight, and the next start makes it unknown: never sent twice.
      if (stopping) return
      await new Promise(resolve => setTimeout(resolve, troubleMs))
      results = [...batch, ...results]
      return
    }
    for (const { job } of batch) free(job.row.orgId)
    for (const result of batch) await reportHealth(result)
  }

  const free = (orgId: string) => {
    const left = (busy.get(orgId) ?? 1) - 1
    if (left > 0) busy.set(orgId, left)
    else busy.delete(orgId)
  }

  /** What the answers tell about the number itself. */
  const reportHealth = async ({ job, answer }: Result) => {
    const { orgId } = job.row
    try {
      if (answer.error?.retry === 'credentials') await numbers.markReauthorise(orgId, answer.error.code)
      else if (answer.error && blocking.has(answer.error.code)) await numbers.markBlocked(orgId, answer.error.code)
      else if (answer.accepted && job.connectionStatus === 'blocked') await numbers.markWorking(orgId)
    } catch (error) {
      log.error({ err: error, orgId }, 'the state of a number could not be stored')
    }
  }

  const isFull = (orgId: string, now: number) =>
    (busy.get(orgId) ?? 0) >= callsPerNumber || (pausedUntil.get(orgId) ?? 0) > now

  /** Takes what is due and has room; true when there may be more. */
  const claim = async (): Promise<boolean> => {
    const now = clock.now()
    const except = [...new Set([...busy.keys(), ...pausedUntil.keys()])].filter(orgId => isFull(orgId, now.getTime()))
    const due = await listDue(databases.read, now.toISOString(), except, rowsPerClaim)
    for (const [orgId, rows] of Map.groupBy(due, row => row.orgId))
      try {
        await claimFor(orgId, rows)
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error
        log.error({ err: error, orgId }, 'the messages of an organization wait, those of the others go on')
        pausedUntil.set(orgId, clock.now().getTime() + orgTroubleMs)
      }
    return due.length > 0 && !stopping
  }

  const claimFor = async (orgId: string, due: readonly DueRow[]) => {
    const obstacles = Map.groupBy(due, obstacle)
    for (const [code, rows] of obstacles) if (code !== undefined) await settlement.closeUnsent(rows, code ?? undefined)
    const sendable = obstacles.get(undefined) ?? []
    if (!sendable.length) return
    const client = await numbers.clientOf(orgId)
    if (!client) return settlement.closeUnsent(sendable, notConnected)
    const { status, statusReason } = client.connection
    if (status === 'reauthorise') return settlement.closeUnsent(sendable, statusReason ?? tokenRefused)
    const rows = sendable.slice(0, callsPerNumber - (busy.get(orgId) ?? 0))
    if (rows.length) await launch(rows, client)
  }

  const loop = async () => {
    try {
      if (!recovered) await settlement.recover()
      recovered = true
      // What falls due while this turn works must count as next, so the look ahead begins where the turn did.
      let lookedAt = isoNow(clock)
      do {
        again = false
        lookedAt = isoNow(clock)
        await settlement.giveUpUnknown()
        while (!stopping && (await claim())) await nextTurn()
      } while (again && !stopping)
      sleep(await untilNext(lookedAt))
    } catch (error) {
      log.error({ err: error }, 'sending waits for the database')
      again = false
      sleep(troubleMs)
    }
  }

  const untilNext = async (lookedAt: string): Promise<number> => {
    const due = await nextDueAt(databases.read, lookedAt)
    const now = clock.now()
    const times = [due ? Date.parse(due) : Number.POSITIVE_INFINITY]
    for (const [orgId, until] of pausedUntil) {
      if (until > now.getTime()) times.push(until)
      else pausedUntil.delete(orgId)
    }
    return Math.max(1, Math.min(...times) - now.getTime())
  }

  const sleep = (ms: number) => {
    clearTimeout(timer)
    if (stopping || ms === Number.POSITIVE_INFINITY) return
    timer = setTimeout(kick, Math.min(longestSleepMs, ms))
    timer.unref()
  }

  const kick = () => {
    again = true
    if (!started || stopping || running) return
    running = nextTurn()
      .then(loop)
      .finally(() => {
        running = undefined
        if (again) kick()
      })
  }

  const settled = async () => {
    while (running || flushing || calls.size) {
      await running
      await Promise.all(calls)
      await flushing
    }
  }

  const enqueueReceipt = async (
    trx: Db,
    orgId: string,
    kind: 'read' | 'typing',
    row: { conversationId: string; wamid: string },
  ) => {
    const { conversationId, wamid } = row
    await dropQueuedReceipts(trx, orgId, conversationId, kind)
    await insertOutboxRow(trx, orgId, { conversationId, messageId: null, kind, targetWamid: wamid, at: isoNow(clock) })
  }

  return {
    enqueueMessage: (trx, orgId, { conversationId, messageId }) =>
      insertOutboxRow(trx, orgId, { conversationId, messageId, kind: 'message', targetWamid: null, at: isoNow(clock) }),
    enqueueRead: (trx, orgId, row) => enqueueReceipt(trx, orgId, 'read', row),
    enqueueTyping: (trx, orgId, row) => enqueueReceipt(trx, orgId, 'typing', row),
    failQueued: (trx, orgId) => settlement.failQueued(trx, orgId, notConnected),
    wake: kick,
    start() {
      started = true
      kick()
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      const late = setTimeout(() => aborter.abort(new Error('shutting down')), graceMs)
      await settled()
      clearTimeout(late)
    },
    async idle() {
      kick()
      await settled()
    },
    async prune() {
      const before = isoIn(clock, -keptMs)
      for (let total = 0; ; await nextTurn()) {
        const gone = await deleteDone(databases.write, before, deletedAtOnce)
        total += gone
        if (gone < deletedAtOnce) return total
      }
    },
  }
}
