import { shownValue } from '#server/whatsapp/scalars.ts'
import type { WebhookFilter } from '#shared/outgoing-webhooks/api.ts'

type Json = Readonly<Record<string, unknown>>

interface Change {
  readonly field: string
  readonly value: Json
}
interface Entry extends Json {
  readonly changes: readonly Change[]
}

/** Meta's webhook, or what is left of it. `isWhole`: nothing was removed. */
export interface RawWebhook {
  readonly envelope: Json
  readonly entries: readonly Entry[]
  readonly isWhole: boolean
}

/** The owner of a change: a number, or an account if `phoneNumberId` is undefined. */
export interface Owned {
  readonly phoneNumberId: string | undefined
  readonly wabaId: string
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
const isChange = (value: unknown): value is Change =>
  isObject(value) && typeof value.field === 'string' && isObject(value.value)

/** Undefined: it has no changes that could be passed on. */
export function readRawWebhook(raw: string): RawWebhook | undefined {
  let envelope: unknown
  try {
    envelope = JSON.parse(raw)
  } catch {
    return undefined
  }
  if (!isObject(envelope)) return undefined
  let isWhole = true
  const entries = listOf(envelope.entry).flatMap((entry): Entry[] => {
    const changes = isObject(entry) ? listOf(entry.changes) : []
    const known = changes.filter(isChange)
    if (!isObject(entry) || known.length < changes.length || !known.length) isWhole = false
    return isObject(entry) && known.length ? [{ ...entry, changes: known }] : []
  })
  return entries.length ? { envelope, entries, isWhole } : undefined
}

export const ownerOf = (entry: Json, { value }: Change): Owned => {
  const id = isObject(value.metadata) ? value.metadata.phone_number_id : undefined
  return { phoneNumberId: typeof id === 'string' ? id : undefined, wabaId: String(entry.id ?? '') }
}

/** With each change replaced by what `keep` returns. Undefined: nothing is left. */
const mapChanges = (
  { envelope, entries, isWhole }: RawWebhook,
  keep: (change: Change, entry: Entry) => Change | undefined,
): RawWebhook | undefined => {
  let isSame = isWhole
  const left = entries.flatMap((entry): Entry[] => {
    const changes = entry.changes.flatMap(change => keep(change, entry) ?? [])
    if (changes.length < entry.changes.length || changes.some((change, i) => change !== entry.changes[i]))
      isSame = false
    return changes.length ? [{ ...entry, changes }] : []
  })
  return left.length ? { envelope, entries: left, isWhole: isSame } : undefined
}

/** Only the changes for which `isOurs`: one webhook of a shared app may name several organizations. */
export const onlyOurs = (webhook: RawWebhook, isOurs: (owned: Owned) => boolean): RawWebhook | undefined =>
  mapChanges(webhook, (change, entry) => (isOurs(ownerOf(entry, change)) ? change : undefined))

export const changeValues = ({ entries }: RawWebhook): Json[] =>
  entries.flatMap(({ changes }) => changes.map(({ value }) => value))

/** With other values. */
export const mapValues = (webhook: RawWebhook, map: (value: Json) => Json): RawWebhook =>
  mapChanges(webhook, change => {
    const value = map(change.value)
    return value === change.value ? change : { ...change, value }
  }) ?? webhook

const finalStatuses = new Set<unknown>(['delivered', 'failed'])

/** Conditions for the elements of these lists of a change. Other lists pass whole. */
const passing = ({
  messageTypes,
  direction,
  finalStatusOnly,
}: WebhookFilter): Readonly<Record<string, (one: unknown) => boolean>> => ({
  messages: one =>
    direction !== 'out' && (!messageTypes || (isObject(one) && messageTypes.includes(shownValue(one.type)))),
  message_echoes: one =>
    direction !== 'in' && (!messageTypes || (isObject(one) && messageTypes.includes(shownValue(one.type)))),
  statuses: one => direction !== 'in' && (!finalStatusOnly || (isObject(one) && finalStatuses.has(one.status))),
})

/** Returns the part of a webhook that passes a filter. `phoneOf`: the number of one of our phone number ids. */
export function filterWebhook(
  webhook: RawWebhook,
  filter: WebhookFilter,
  phoneOf: (phoneNumberId: string) => string | undefined,
): RawWebhook | undefined {
  const { fields, numbers } = filter
  const lists = Object.entries(passing(filter))
  return mapChanges(webhook, (change, entry) => {
    if (fields && !fields.includes(change.field)) return undefined
    const { phoneNumberId } = ownerOf(entry, change)
    if (numbers && phoneNumberId !== undefined && !numbers.includes(phoneOf(phoneNumberId) ?? '')) return undefined
    const changed: Record<string, unknown> = {}
    let count = 0
    for (const [name, passes] of lists) {
      const all = listOf(change.value[name])
      const some = all.filter(passes)
      count += some.length
      if (some.length < all.length) changed[name] = some.length ? some : undefined
    }
    if (!Object.keys(changed).length) return change
    return count ? { ...change, value: { ...change.value, ...changed } } : undefined
  })
}

/** The bytes to send: those of Meta, if nothing was removed. */
export const webhookText = ({ envelope, entries, isWhole }: RawWebhook, raw: string): string =>
  isWhole ? raw : JSON.stringify({ ...envelope, entry: entries })

const customerOf = (one: unknown): unknown => (isObject(one) ? (one.recipient_id ?? one.from) : undefined)

/** The key by which deliveries stay in order: the customer, or the number if there are several. */
export function webhookLine({ entries }: RawWebhook): string | null {
  const customers = new Set<unknown>()
  let numberId: string | undefined
  for (const entry of entries)
    for (const change of entry.changes) {
      numberId ??= ownerOf(entry, change).phoneNumberId
      for (const name of ['messages', 'statuses'])
        for (const one of listOf(change.value[name])) customers.add(customerOf(one))
    }
  if (numberId === undefined) return null
  const [customer] = customers
  return customers.size === 1 && typeof customer === 'string'
    ? `raw ${numberId} ${customer.slice(0, 40)}`
    : `raw ${numberId}`
}
