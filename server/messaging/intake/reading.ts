import type { Databases } from '#server/platform/db/db.ts'
import { reasonOf } from '#server/platform/http/reason.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { WebhookItem } from '#server/whatsapp/inbound.ts'
import { readWebhook } from '#server/whatsapp/webhook.ts'
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
  readonly takers: WebhookTakers
  readonly numbers: {
    /** Whose an item is, and of which of its numbers; undefined: a number nobody here has connected. */
    routeOf(item: WebhookItem, connectionId: string | null): Promise<Route | undefined>
  }
}

/** A row on its way: its items are read as they are needed, so a large one never holds the process. */
export interface Reading {
  readonly row: WaitingRow
  readonly items: Iterator<WebhookItem>
  /** Items that were read and left for the next part. */
  readonly left: WebhookItem[]
  /** Values of its JSON that have been parsed. */
  readonly parsed: () => number
  /** Whose a number or an account is: asked once, however often a webhook names it. */
  readonly routes: Map<string, Route | undefined>
  readonly unknown: Set<string>
  readonly unaddressed: Set<string>
  readonly untaken: Set<string>
  /** Items read so far: the next one's place in its row. */
  place: number
  hasOwner: boolean
  isDone: boolean
}

interface Entry {
  readonly item: WebhookItem
  readonly place: number
  /** Undefined: nobody here has the number or account it names. */
  readonly orgId: string | undefined
}

/** The next items of a row, by organization. */
export interface Part {
  readonly reading: Reading
  readonly entries: readonly Entry[]
  readonly byOrg: Map<string, WebhookItem[]>
  /** What no feature takes. */
  readonly untaken: readonly UntakenItem[]
  /** By their weight, and what it took to read them ahead. */
  readonly items: number
}

/** Values parsed between two turns, beyond which a part is full whatever its items. */
const valuesPerPart = 10_000
/** To make one of two customers is as much work as several messages, and nothing tells so before it is done. */
const weightOf = ({ kind }: WebhookItem): number => (kind === 'identity' ? 4 : 1)
/** Steps of reading ahead that take about as long as applying one item. */
const stepsPerItem = 10_000
/** So many names stand in a remark; a webhook can name thousands. */
const namesPerRemark = 20

export const add = <T>(lists: Map<string, T[]>, key: string, value: T) => {
  const list = lists.get(key)
  if (list) list.push(value)
  else lists.set(key, [value])
}

const withArrival = (item: WebhookItem, { receivedAt }: WaitingRow): WebhookItem =>
  item.kind === 'message' ? { ...item, receivedAt } : item

/** Reads rows of the journal a part at a time, and says whose each item is. */
export function createReader({ databases, log, pace, takers, numbers }: ReaderParts) {
  /** Undefined: the row cannot be read, and is parked. */
  const open = async (row: WaitingRow): Promise<Reading | undefined> => {
    const raw = row.raw ?? (await loadRaw(databases.read, row.seq))
    if (!raw) return undefined
    const isLarge = raw.length > largeBytes
    // Looking through three megabytes fills a turn by itself.
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
      await settleRow(databases.write, row.seq, journalState.parked, reasonOf(error))
      return undefined
    }
  }

  const ownerOf = async ({ row, routes }: Reading, item: WebhookItem): Promise<Route | undefined> => {
    const key = item.phoneNumberId ? `number ${item.phoneNumberId}` : `account ${item.wabaId}`
    if (!routes.has(key)) routes.set(key, await numbers.routeOf(item, row.connectionId))
    return routes.get(key)
  }

  const remark = (names: Set<string>, name: string) => {
    if (names.size < namesPerRemark) names.add(name)
  }

  /** The next items of a row, as many as fit; those derived before are passed over, and remarked on once more. */
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

  /** How many of them were read ahead, and the steps that took. */
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

  /** These, the last ones read, are read again in the next part. */
  const leave = (reading: Reading, entries: readonly Entry[]): void => {
    const [first] = entries
    if (!first) return
    reading.left.unshift(...entries.map(({ item }) => item))
    reading.place = first.place
    reading.isDone = false
  }

  /** Where reading ahead uses up its budget, the rest is left for the next part: others have their turn before it. */
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
    /** The whole part is read again when its row has its turn: what was read ahead is not remembered for long. */
    putBack: ({ reading, entries }: Part): void => leave(reading, entries),
  }
}

/** What is said of a row when it is settled; null: nothing to remark. */
export const noteOf = ({ unknown, unaddressed, untaken }: Reading): string | null => {
  const remarks = [
    unaddressed.size ? `names no WhatsApp number or account (${[...unaddressed].join(', ')})`.replace(' ()', '') : '',
    unknown.size ? `unknown number: ${[...unknown].join(', ')}` : '',
    untaken.size ? `kept, taken by no room: ${[...untaken].join(', ')}` : '',
  ].filter(Boolean)
  return remarks.length ? remarks.join('; ').slice(0, 300) : null
}

export const settledState = ({ hasOwner, unknown }: Reading) =>
  !hasOwner && unknown.size > 0 ? journalState.unknownNumber : journalState.applied
