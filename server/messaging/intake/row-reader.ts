import type { Databases } from '#server/platform/db/db.ts'
import { errorReason } from '#server/platform/http/reason.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { readWebhook } from '#server/whatsapp/webhooks/webhook.ts'
import type { Pace } from './pace.ts'
import { largeBytes, loadRaw, settleRow, type WaitingRow } from './store.ts'
import { journalState } from './table.ts'
import { nameOfItem, type WebhookTakers } from './takers.ts'
import type { UntakenItem } from './untaken-store.ts'

interface Route {
  readonly orgId: string
  readonly connectionId: string
}

export interface ReaderParts {
  readonly databases: Pick<Databases, 'read' | 'write'>
  readonly log: Log
  readonly pace: Pick<Pace, 'items' | 'rest'>
  readonly takers: Pick<WebhookTakers, 'of'>
  readonly numbers: {
    /** The organization and number an item belongs to. Undefined: no organization has connected that number. */
    routeOf(item: WebhookItem, connectionId: string | null): Promise<Route | undefined>
  }
}

/** A row that is being applied. Its items are read when needed, so that a large row never blocks the process. */
export interface Reading {
  readonly row: WaitingRow
  readonly items: Iterator<WebhookItem>
  /** Items that were read and belong to the next part. */
  readonly left: WebhookItem[]
  /** The number of JSON values parsed so far. */
  readonly parsed: () => number
  /** Owners of numbers and accounts, looked up once for each webhook. */
  readonly routes: Map<string, Route | undefined>
  readonly unknown: Set<string>
  readonly unaddressed: Set<string>
  readonly untaken: Set<string>
  /** The number of items read so far, which is the index of the next one. */
  place: number
  hasOwner: boolean
  isDone: boolean
}

interface Entry {
  readonly item: WebhookItem
  readonly place: number
  /** Undefined: no organization has the number or account. */
  readonly orgId: string | undefined
}

/** The next items of a row, by organization. */
export interface Part {
  readonly reading: Reading
  readonly entries: readonly Entry[]
  readonly byOrg: Map<string, WebhookItem[]>
  /** Items that no taker gets. */
  readonly untaken: readonly UntakenItem[]
  /** Their weight, including the work of `readAhead`. */
  readonly items: number
}

/** A part is full after this many parsed values, whatever its items. */
const valuesPerPart = 10_000
/** Merging two customers is as much work as several messages, and cannot be recognized in advance. */
const weightOf = ({ kind }: WebhookItem): number => (kind === 'identity' ? 4 : 1)
/** Steps of `readAhead` that take about as long as applying one item. */
const stepsPerItem = 10_000
/** Names listed in a note. A webhook can name thousands. */
const namesPerNote = 20

export const add = <T>(lists: Map<string, T[]>, key: string, value: T) => {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

const withArrival = (item: WebhookItem, { receivedAt }: WaitingRow): WebhookItem =>
  item.kind === 'message' ? { ...item, receivedAt } : item

/** Reads rows of the journal in parts and finds the organization of each item. */
export function createReader({ databases, log, pace, takers, numbers }: ReaderParts) {
  /** Undefined: the row cannot be read and is parked. */
  const open = async (row: WaitingRow): Promise<Reading | undefined> => {
    const raw = row.raw ?? (await loadRaw(databases.read, row.seq))
    if (!raw) return undefined
    const isLarge = raw.length > largeBytes
    // Scanning three megabytes fills an event loop turn.
    if (isLarge) await pace.rest({ items: 0 })
    try {
      const webhook = readWebhook(raw, row.receivedAt)
      const names = { unknown: new Set<string>(), unaddressed: new Set<string>(), untaken: new Set<string>() }
      if (isLarge) await pace.rest({ items: 0 })
      return {
        row,
        items: webhook[Symbol.iterator](),
        left: [],
        parsed: webhook.parsed,
        routes: new Map(),
        ...names,
        place: 0,
        hasOwner: false,
        isDone: false,
      }
    } catch (error) {
      log.warn({ seq: row.seq, err: error }, 'a webhook cannot be read and is parked')
      await settleRow(databases.write, row.seq, journalState.parked, errorReason(error))
      return undefined
    }
  }

  const ownerOf = async ({ row, routes }: Reading, item: WebhookItem): Promise<Route | undefined> => {
    const key = item.phoneNumberId ? `number ${item.phoneNumberId}` : `account ${item.wabaId}`
    if (!routes.has(key)) routes.set(key, await numbers.routeOf(item, row.connectionId))
    return routes.get(key)
  }

  const remark = (names: Set<string>, name: string) => {
    if (names.size < namesPerNote) names.add(name)
  }

  /** The next items that fit into a part. Items that were applied before are skipped, and noted again. */
  const readItems = async (reading: Reading): Promise<Entry[]> => {
    const entries: Entry[] = []
    const most = pace.items()
    const parsedBefore = reading.parsed()
    let items = 0
    while (items < most && reading.parsed() - parsedBefore < valuesPerPart) {
      const item = reading.left.shift() ?? reading.items.next().value
      if (!item) {
        reading.isDone = true
        return entries
      }
      const place = reading.place++
      const isDerived = place < reading.row.place
      if (!isDerived) items += weightOf(item)
      const isAddressed = Boolean(item.phoneNumberId || item.wabaId)
      const orgId = isAddressed ? (await ownerOf(reading, item))?.orgId : undefined
      if (!isDerived) entries.push({ item, place, orgId })
      if (!isAddressed) remark(reading.unaddressed, item.kind === 'unknown' ? item.field : item.kind)
      else if (!orgId) remark(reading.unknown, item.phoneNumberId ?? `account ${item.wabaId}`)
      else if (!takers.of(item)) remark(reading.untaken, nameOfItem(item))
      reading.hasOwner ||= orgId !== undefined
    }
    return entries
  }

  /** Returns the number of items that were read ahead, and the steps this took. */
  const readAhead = async (entries: readonly Entry[]) => {
    let count = entries.length
    let steps = 0
    for (const [orgId, owned] of Map.groupBy(entries, entry => entry.orgId))
      for (const [taker, own] of Map.groupBy(owned, ({ item }) => takers.of(item))) {
        const items = own.map(({ item }) => item)
        const ahead = orgId === undefined ? undefined : await taker?.readAhead?.(orgId, items)
        if (!ahead) continue
        steps += ahead.steps
        const next = own[ahead.items]
        if (next) count = Math.min(count, entries.indexOf(next))
      }
    return { count, steps }
  }

  const partOf = (reading: Reading, entries: readonly Entry[], steps: number): Part => {
    const byOrg = new Map<string, WebhookItem[]>()
    const untaken: UntakenItem[] = []
    let items = Math.floor(steps / stepsPerItem)
    for (const { item, place, orgId } of entries) {
      items += weightOf(item)
      if (!orgId) continue
      if (takers.of(item)) add(byOrg, orgId, withArrival(item, reading.row))
      else untaken.push({ orgId, seq: reading.row.seq, place, item })
    }
    return { reading, entries, byOrg, untaken, items }
  }

  /** Puts back the last items. They are read again for the next part. */
  const leave = (reading: Reading, entries: readonly Entry[]): void => {
    const [first] = entries
    if (!first) return
    reading.left.unshift(...entries.map(({ item }) => item))
    reading.place = first.place
    reading.isDone = false
  }

  /** Reads the next part. When `readAhead` uses up its budget, the other items wait for the part after it. */
  const readOn = async (reading: Reading): Promise<Part> => {
    const entries = await readItems(reading)
    const { count, steps } = await readAhead(entries)
    leave(reading, entries.slice(count))
    return partOf(reading, entries.slice(0, count), steps)
  }

  const begin = async (row: WaitingRow): Promise<Part | undefined> => {
    const reading = await open(row)
    return reading && readOn(reading)
  }

  return {
    begin,
    readOn,
    /** The whole part is read again later, because what was read ahead is not cached for long. */
    putBack: ({ reading, entries }: Part): void => leave(reading, entries),
  }
}

/** The note stored with a settled row. Null: none. */
export const noteOf = ({ unknown, unaddressed, untaken }: Reading): string | null => {
  const notes = [
    unaddressed.size ? `names no WhatsApp number or account (${[...unaddressed].join(', ')})`.replace(' ()', '') : '',
    unknown.size ? `unknown number: ${[...unknown].join(', ')}` : '',
    untaken.size ? `kept, taken by no feature: ${[...untaken].join(', ')}` : '',
  ].filter(Boolean)
  return notes.length ? notes.join('; ').slice(0, 300) : null
}

export const settledState = ({ hasOwner, unknown }: Reading) =>
  !hasOwner && unknown.size > 0 ? journalState.unknownNumber : journalState.applied
