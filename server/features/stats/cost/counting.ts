import { mayFollow } from '#server/messaging/messages/inbound/order.ts'
import { findCategories } from '#server/messaging/templates/categories.ts'
import type { Db } from '#server/platform/db/database.ts'
import { phoneCountry, unknownCountry } from '#server/platform/text/phone-country.ts'
import { wallTime } from '#shared/kernel/time.ts'
import { type Charge, freeReplies } from '#shared/stats/cost.ts'
import { answersBulkWithinMs } from '#shared/stats/definitions.ts'
import {
  billingOf,
  type CountedMessage,
  categoryOf,
  countsOf,
  isCounted,
  isDelivered,
  sentSource,
  sentState,
} from './sent-facts.ts'
import {
  type ArrivedRow,
  addToDays,
  clearDueMessages,
  deleteSent,
  findArrived,
  findSent,
  findSentTemplates,
  listArrived,
  listDueMessages,
  type ReplyMonth,
  readPosition,
  readReplies,
  savePosition,
  saveReplies,
  saveSent,
} from './sent-store.ts'
import type { SentCounts, SentKey, SentMessageTable } from './table.ts'

export interface CountingParts {
  readTimeZone(orgId: string, db: Db): Promise<string>
}

/** Differences of the sums of days. */
class DayChanges {
  private readonly byKey = new Map<string, SentKey & { -readonly [N in keyof SentCounts]: number }>()

  add(row: SentMessageTable, sign: 1 | -1): void {
    const { org_id, day, connection_id, country, category, charge, source, template } = row
    const key = [org_id, day, connection_id, country, category, charge, source, template].join('\n')
    const none = { sent: 0, delivered: 0, read: 0, failed: 0, replied: 0, opted_out: 0 }
    const known = this.byKey.get(key) ?? {
      org_id,
      day,
      connection_id,
      country,
      category,
      charge,
      source,
      template,
      ...none,
    }
    const counts = countsOf(row)
    for (const name of Object.keys(none) as (keyof SentCounts)[]) known[name] += sign * counts[name]
    this.byKey.set(key, known)
  }

  /** The rows in the same order for all writers, so that they do not deadlock. */
  rows(): (SentKey & SentCounts)[] {
    return [...this.byKey]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row)
      .filter(row => row.sent || row.delivered || row.read || row.failed || row.replied || row.opted_out)
  }
}

/** Counts billed replies of numbers and months, the first of which are free. */
class ReplyMonths {
  private readonly known = new Map<string, { -readonly [N in keyof ReplyMonth]: ReplyMonth[N] }>()
  private readonly trx: Db

  constructor(trx: Db) {
    this.trx = trx
  }

  private async monthOf({ connection_id: connectionId, day, org_id: orgId }: SentKey) {
    const month = day.slice(0, 7)
    const key = `${connectionId} ${month}`
    const found = this.known.get(key) ?? {
      connectionId,
      month,
      orgId,
      ...(await readReplies(this.trx, connectionId, month)),
    }
    this.known.set(key, found)
    return found
  }

  async take(of: SentKey): Promise<'allowance' | 'regular'> {
    const month = await this.monthOf(of)
    month.count += 1
    return month.count <= freeReplies ? 'allowance' : 'regular'
  }

  async release(of: SentKey): Promise<void> {
    const month = await this.monthOf(of)
    month.count -= 1
  }

  async save(): Promise<ReplyMonth[]> {
    const months = [...this.known.values()]
    for (const month of months) await saveReplies(this.trx, month)
    return months
  }
}

interface SentTemplate {
  readonly id?: string
  readonly name?: string
}

const templateOf = (content: string | null): SentTemplate | undefined =>
  content === null ? undefined : (JSON.parse(content) as { template?: SentTemplate }).template

/** Messages of ours with the categories of their templates. */
const withCategories = async (
  trx: Db,
  rows: readonly ArrivedRow[],
): Promise<{ message: CountedMessage; row: ArrivedRow }[]> => {
  const read = rows.map(row => ({ row, template: row.type === 'template' ? templateOf(row.content) : undefined }))
  const categories = new Map<string, string>()
  for (const [orgId, own] of Map.groupBy(read, ({ row }) => row.org_id)) {
    const ids = own.flatMap(({ template }) => template?.id ?? [])
    for (const { id, category } of await findCategories(trx, ids, { orgId })) categories.set(id, category)
  }
  return read.map(({ row, template }) => ({
    row,
    message: {
      id: row.id,
      orgId: row.org_id,
      conversationId: row.conversation_id,
      connectionId: row.connection_id,
      type: row.type,
      authorKind: row.author_kind,
      at: row.at,
      status: row.status,
      errorCode: row.error_code,
      deliveredAt: row.delivered_at,
      readAt: row.read_at,
      pricing: row.pricing,
      freeUntil: row.free_until,
      template:
        row.type === 'template'
          ? { name: template?.name ?? '?', category: categories.get(template?.id ?? '') ?? null }
          : null,
    },
  }))
}

const isBilledReply = ({ category, charge }: SentMessageTable): boolean =>
  category === 'service' && (charge === 'allowance' || charge === 'regular')

/** One transaction in which messages are counted. */
class Counting {
  private readonly days = new DayChanges()
  private readonly months: ReplyMonths
  private readonly zones = new Map<string, string>()
  private readonly trx: Db
  private readonly parts: CountingParts

  constructor(trx: Db, parts: CountingParts) {
    this.trx = trx
    this.parts = parts
    this.months = new ReplyMonths(trx)
  }

  private async dayOf({ orgId, at }: CountedMessage): Promise<string> {
    const zone = this.zones.get(orgId) ?? (await this.parts.readTimeZone(orgId, this.trx))
    this.zones.set(orgId, zone)
    return wallTime(Date.parse(at), zone).slice(0, 10)
  }

  private async chargeOf(
    message: CountedMessage,
    after: Omit<SentMessageTable, 'charge'>,
    before: SentMessageTable | undefined,
  ): Promise<Charge> {
    const billing = isDelivered(after.state) ? billingOf(message) : undefined
    const isBilled = billing === 'billed' && after.category === 'service'
    if (before && isBilledReply(before)) {
      if (isBilled) return before.charge
      await this.months.release(before)
    }
    if (isBilled) return this.months.take({ ...after, charge: 'regular' })
    return billing === 'billed' ? 'regular' : (billing ?? 'none')
  }

  /** Counts messages of ours, or counts them again. */
  async countSent(rows: readonly ArrivedRow[], optedOut: ReadonlySet<string> = new Set()): Promise<void> {
    const known = new Map(
      (
        await findSent(
          this.trx,
          rows.map(({ id }) => id),
          {},
        )
      ).map(row => [row.message_id, row]),
    )
    const saved: SentMessageTable[] = []
    const gone: string[] = []
    for (const { message, row } of await withCategories(this.trx, rows)) {
      const before = known.get(message.id)
      if (before) this.days.add(before, -1)
      if (!isCounted(message)) {
        if (!before) continue
        if (isBilledReply(before)) await this.months.release(before)
        gone.push(message.id)
        continue
      }
      const uncharged = {
        message_id: message.id,
        org_id: message.orgId,
        conversation_id: message.conversationId,
        connection_id: before?.connection_id ?? message.connectionId,
        at: message.at,
        day: before?.day ?? (await this.dayOf(message)),
        country: row.wa_id === null ? unknownCountry : phoneCountry(row.wa_id),
        category: categoryOf(message),
        source: sentSource(message),
        template: message.template?.name ?? '',
        state: sentState(message),
        replied: before?.replied ?? 0,
        opted_out: optedOut.has(message.id) ? 1 : (before?.opted_out ?? 0),
      }
      const after = { ...uncharged, charge: await this.chargeOf(message, uncharged, before) }
      this.days.add(after, 1)
      saved.push(after)
    }
    await saveSent(this.trx, saved, {})
    if (gone.length) await deleteSent(this.trx, gone)
  }

  /** A customer who writes answers the last template that they got within a week. */
  async countReplied(rows: readonly ArrivedRow[]): Promise<void> {
    if (!rows.length) return
    const since = new Date(Math.min(...rows.map(({ at }) => Date.parse(at))) - answersBulkWithinMs).toISOString()
    const templates = await findSentTemplates(
      this.trx,
      rows.map(({ conversation_id: id }) => id),
      { since },
    )
    const byConversation = Map.groupBy(templates, ({ conversation_id: id }) => id)
    const answered = new Map<string, SentMessageTable>()
    for (const { conversation_id: id, at } of rows) {
      const before = (byConversation.get(id) ?? []).filter(sent => mayFollow(at, sent.at))
      const last = before.reduce<SentMessageTable | undefined>(
        (latest, sent) => (latest && latest.at > sent.at ? latest : sent),
        undefined,
      )
      const isInTime = last && Date.parse(at) - Date.parse(last.at) <= answersBulkWithinMs
      if (isInTime && !last.replied) answered.set(last.message_id, last)
    }
    const saved = [...answered.values()].map(row => ({ ...row, replied: 1 }))
    for (const row of answered.values()) this.days.add(row, -1)
    for (const row of saved) this.days.add(row, 1)
    await saveSent(this.trx, saved, {})
  }

  /** Returns the months in which replies were counted. */
  async save(): Promise<ReplyMonth[]> {
    await addToDays(this.trx, this.days.rows(), {})
    return this.months.save()
  }
}

const isCustomers = ({ direction, type }: ArrivedRow): boolean =>
  direction === 'in' && type !== 'system' && type !== 'welcome'

interface CountedSlice {
  /** `rest`: less than a slice was left. */
  readonly found: 'nothing' | 'rest' | 'slice'
  readonly months: readonly ReplyMonth[]
}

export const defaultSlice = { messages: 200, due: 200 }

/** Counts messages whose status changed, and the next ones that arrived. */
export async function countSlice(
  trx: Db,
  parts: CountingParts,
  most: { readonly messages: number; readonly due: number } = defaultSlice,
): Promise<CountedSlice> {
  const counting = new Counting(trx, parts)
  const due = await listDueMessages(trx, most.due)
  if (due.length) {
    const ids = due.map(({ message_id: id }) => id)
    const optedOut = new Set(due.flatMap(({ message_id: id, opted_out: isOut }) => (isOut ? [id] : [])))
    await counting.countSent(await findArrived(trx, ids, {}), optedOut)
    await clearDueMessages(trx, ids)
  }
  const arrived = await listArrived(trx, await readPosition(trx), most.messages)
  // Imported messages were sent by another program.
  const own = arrived.filter(message => message.import_id === null)
  await counting.countSent(own.filter(({ direction }) => direction === 'out'))
  await counting.countReplied(own.filter(isCustomers))
  const last = arrived.at(-1)
  if (last) await savePosition(trx, last.seq)
  const months = await counting.save()
  const isFull = due.length === most.due || arrived.length === most.messages
  return { found: isFull ? 'slice' : due.length || last ? 'rest' : 'nothing', months }
}
