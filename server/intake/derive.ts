import type { Clock } from '../clock.ts'
import { isoNow } from '../clock.ts'
import { type Databases, type Db, inTransaction, isDatabaseTrouble } from '../db.ts'
import type { EventDraft, LiveLog, StoredEvent } from '../live/hub.ts'
import type { Log } from '../log.ts'
import type { WebhookItem } from '../whatsapp/inbound.ts'
import { readWebhook } from '../whatsapp/webhook.ts'
import { createPace } from './pace.ts'
import { listWaiting, markApplied, noteFault, settleRow, type WaitingRow } from './store.ts'
import { journalState } from './table.ts'

export interface DeriveParts {
  databases: Databases
  clock: Clock
  ids: (at?: number) => string
  log: Log
  live: LiveLog
  numbers: {
    /** Whose an item is; undefined: a number nobody here has connected. */
    routeOf(item: WebhookItem, connectionId: string | null): Promise<string | undefined>
    /** Remembers in the transaction that webhooks arrive; called now and then, not for each. */
    touchWebhook(trx: Db, connectionId: string, at: string): Promise<void>
  }
  /** The inbox derives its rows; it is idempotent, so a slice may come twice. */
  applyItems(
    trx: Db,
    orgId: string,
    items: readonly WebhookItem[],
    parts: { clock: Clock; ids: (at?: number) => string },
  ): Promise<{ drafts: EventDraft[]; hasMedia: boolean }>
  /** Called after a commit that left files to fetch. */
  onMedia(): void
}

export interface Derive {
  /** Picks up what an earlier process left. */
  start(): void
  /** Something was journaled. Cheap; call it for each webhook. */
  wake(): void
  /** Resolves when nothing is waiting but rows held back after a fault. For tests and shutdown. */
  drain(): Promise<void>
  /** Finishes the slice at work and leaves the rest for the next start. */
  stop(): Promise<void>
}

interface Routed {
  row: WaitingRow
  byOrg: Map<string, WebhookItem[]>
  items: number
  /** Said of the row when it is settled; null: nothing to remark. */
  note: string | null
  /** Nothing in it belongs to anybody here. */
  foreign: boolean
}

const itemsPerTransaction = 128
const maxAttempts = 5
const holdMs = 1000
const troubleMs = 1000
const touchMs = 5000

const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, 300)

/**
 * Turns journal rows into messages, statuses and events: in order, a few at a time, each slice one transaction with
 * the mark on its rows, so that a crash repeats a slice and never loses one. A slice that fails is tried row by row;
 * a row that keeps failing is parked and its neighbours go on.
 */
export function createDerive(parts: DeriveParts): Derive {
  const { databases, clock, log, live, numbers } = parts
  const pace = createPace()
  const held = new Map<number, number>()
  const touched = new Map<string, number>()
  let running: Promise<void> | undefined
  let again = false
  let stopping = false
  let timer: NodeJS.Timeout | undefined

  /** Reads and routes a row. Undefined: it cannot be read, and is parked. */
  const route = async (row: WaitingRow): Promise<Routed | undefined> => {
    let items: WebhookItem[]
    try {
      items = readWebhook(row.raw, row.receivedAt)
    } catch (error) {
      log.warn({ seq: row.seq, err: error }, 'a webhook cannot be read and is parked')
      await settleRow(databases.write, row.seq, journalState.parked, reasonOf(error))
      return undefined
    }
    const byOrg = new Map<string, WebhookItem[]>()
    const unknown = new Set<string>()
    const unaddressed = new Set<string>()
    for (const item of items) {
      if (!item.phoneNumberId && !item.wabaId) {
        unaddressed.add(item.kind === 'unknown' ? item.field : item.kind)
        continue
      }
      const orgId = await numbers.routeOf(item, row.connectionId)
      if (orgId) byOrg.set(orgId, [...(byOrg.get(orgId) ?? []), item])
      else unknown.add(item.phoneNumberId ?? `account ${item.wabaId}`)
    }
    const remarks = [
      unaddressed.size ? `names no WhatsApp number or account (${[...unaddressed].join(', ')})`.replace(' ()', '') : '',
      unknown.size ? `unknown number: ${[...unknown].join(', ')}` : '',
    ].filter(Boolean)
    const note = remarks.length ? remarks.join('; ').slice(0, 300) : null
    return { row, byOrg, items: items.length, note, foreign: byOrg.size === 0 && unknown.size > 0 }
  }

  const dueTouches = (rows: readonly Routed[]) => {
    const now = clock.now().getTime()
    const ids = new Set(rows.flatMap(({ row }) => (row.connectionId ? [row.connectionId] : [])))
    return [...ids].filter(id => now - (touched.get(id) ?? 0) >= touchMs)
  }

  /** One transaction: everything of these rows, the marks, the events. Publishes after the commit. */
  const apply = async (rows: readonly Routed[]) => {
    const byOrg = new Map<string, WebhookItem[]>()
    for (const routed of rows)
      for (const [orgId, items] of routed.byOrg) byOrg.set(orgId, [...(byOrg.get(orgId) ?? []), ...items])
    const touches = dueTouches(rows)
    let workedUntil = 0
    const done = await inTransaction(databases, async trx => {
      const result = await applyAll(trx, byOrg)
      for (const { row, note, foreign } of rows)
        if (note) await settleRow(trx, row.seq, foreign ? journalState.unknownNumber : journalState.applied, note)
      await markApplied(trx, (rows[0] as Routed).row.seq, (rows.at(-1) as Routed).row.seq)
      for (const id of touches) await numbers.touchWebhook(trx, id, isoNow(clock))
      workedUntil = performance.now()
      return result
    })
    pace.committed(performance.now() - workedUntil)
    for (const id of touches) touched.set(id, clock.now().getTime())
    for (const { row, note } of rows)
      if (note) log.warn({ seq: row.seq, note }, 'a webhook, or a part of it, belongs to nobody here')
    live.publish(done.events)
    if (done.hasMedia) parts.onMedia()
  }

  const applyAll = async (trx: Db, byOrg: ReadonlyMap<string, readonly WebhookItem[]>) => {
    const events: StoredEvent[] = []
    let hasMedia = false
    for (const [orgId, items] of byOrg) {
      const applied = await parts.applyItems(trx, orgId, items, { clock, ids: parts.ids })
      hasMedia ||= applied.hasMedia
      if (applied.drafts.length) events.push(...(await live.record(trx, orgId, applied.drafts)))
    }
    return { events, hasMedia }
  }

  /** A webhook may carry a thousand updates: all but its last part go ahead in transactions of their own. */
  const applyAhead = async (routed: Routed): Promise<Routed> => {
    if (routed.items <= itemsPerTransaction) return routed
    const last = new Map<string, WebhookItem[]>()
    for (const [orgId, items] of routed.byOrg) {
      for (let from = 0; from < items.length; from += itemsPerTransaction) {
        const part = items.slice(from, from + itemsPerTransaction)
        if (from + itemsPerTransaction >= items.length) {
          last.set(orgId, part)
          continue
        }
        const done = await inTransaction(databases, trx => applyAll(trx, new Map([[orgId, part]])))
        live.publish(done.events)
        if (done.hasMedia) parts.onMedia()
        await pace.rest()
      }
    }
    return { ...routed, byOrg: last, items: [...last.values()].reduce((sum, items) => sum + items.length, 0) }
  }

  const applyOne = async (routed: Routed) => {
    try {
      await apply([await applyAhead(routed)])
      held.delete(routed.row.seq)
    } catch (error) {
      if (isDatabaseTrouble(error)) throw error
      await fault(routed.row, error)
    }
  }

  const fault = async (row: WaitingRow, error: unknown) => {
    const attempts = row.attempts + 1
    log.error({ seq: row.seq, attempts, err: error }, 'a webhook could not be applied')
    if (attempts >= maxAttempts) {
      held.delete(row.seq)
      await settleRow(databases.write, row.seq, journalState.parked, reasonOf(error))
    } else {
      held.set(row.seq, clock.now().getTime() + holdMs * attempts)
      await noteFault(databases.write, row.seq, attempts, reasonOf(error))
    }
  }

  /** A run of rows that may share a transaction: none has failed before, and together they are not too many. */
  const applyRun = async (rows: readonly WaitingRow[]) => {
    let run: Routed[] = []
    let items = 0
    const flush = async () => {
      const batch = run
      run = []
      items = 0
      if (!batch.length) return
      try {
        await apply(batch)
      } catch (error) {
        if (isDatabaseTrouble(error)) throw error
        log.warn({ rows: batch.length, err: error }, 'a slice of webhooks failed and is taken one by one')
        for (const routed of batch) await applyOne(routed)
      }
    }
    for (const row of rows) {
      const routed = await route(row).catch(async error => {
        if (isDatabaseTrouble(error)) throw error
        await fault(row, error)
      })
      if (!routed) continue
      if (routed.items > itemsPerTransaction || row.attempts > 0) {
        await flush()
        await applyOne(routed)
        continue
      }
      if (items + routed.items > itemsPerTransaction) await flush()
      run.push(routed)
      items += routed.items
    }
    await flush()
  }

  /** One pass over everything that waits, from the oldest. */
  const pass = async () => {
    for (let after = 0; !stopping; ) {
      pace.begin()
      const rows = await listWaiting(databases.read, after, pace.rows())
      const last = rows.at(-1)
      if (!last) return
      const now = clock.now().getTime()
      // The mark covers a range of the journal, so a row held back ends the run before it.
      for (const run of splitAt(rows, row => (held.get(row.seq) ?? 0) > now)) await applyRun(run)
      after = last.seq
      await pace.rest(rows.length)
    }
  }

  const loop = async () => {
    do {
      again = false
      try {
        await pass()
      } catch (error) {
        log.error({ err: error }, 'webhooks wait for the database')
        later(troubleMs)
        return
      }
    } while (again && !stopping)
    if (held.size) later(holdMs)
  }

  const later = (ms: number) => {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(() => {
      timer = undefined
      kick()
    }, ms).unref()
  }

  const kick = () => {
    again = true
    if (stopping || running) return
    running = new Promise<void>(resolve => setImmediate(resolve)).then(loop).finally(() => {
      running = undefined
      if (again && !timer) kick()
    })
  }

  return {
    start: kick,
    wake() {
      pace.arrived()
      kick()
    },
    async drain() {
      kick()
      while (running) await running
    },
    async stop() {
      stopping = true
      clearTimeout(timer)
      while (running) await running
    },
  }
}

/** The stretches of a list between the elements that are left out. */
const splitAt = <T>(list: readonly T[], isLeftOut: (element: T) => boolean): T[][] => {
  const runs: T[][] = [[]]
  for (const element of list) {
    if (isLeftOut(element)) runs.push([])
    else runs.at(-1)?.push(element)
  }
  return runs.filter(run => run.length > 0)
}
