import type { OrgWrite } from '#server/platform/events/write.ts'
import { webhookFields } from '#server/whatsapp/webhooks/field-items.ts'
import type { ItemKind, WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'

/** Result of `readAhead`. */
interface ReadAhead {
  /** Items that were read, counted from the first; at least one. The others follow in a later slice. */
  readonly items: number
  /** The cost, in steps of `shared/kernel/work.ts`. */
  readonly steps: number
}

/**
 * A feature that owns some items of webhooks. `apply` gets the items of one organization in order of arrival, inside the
 * transaction that settles them. It must be idempotent, because Meta may send a webhook twice and people may process it
 * again.
 */
export interface WebhookTaker {
  readonly feature: string
  readonly kinds?: readonly ItemKind[]
  /** Meta's field names of `management` items, such as `message_template_status_update`. */
  readonly fields?: readonly string[]
  apply(write: OrgWrite, items: readonly WebhookItem[]): Promise<void>
  /** Does long work that needs no transaction, before `apply` gets the same items. */
  readAhead?(orgId: string, items: readonly WebhookItem[]): Promise<ReadAhead>
}

export interface WebhookTakers {
  /** The feature that takes an item. Undefined: none does, and the item is kept. */
  of(item: WebhookItem): WebhookTaker | undefined
  /** True if features take all items of a field of Meta's. */
  takesField(field: string): boolean
}

/** The name under which an item is counted. */
export const nameOfItem = (item: WebhookItem): string =>
  item.kind === 'management' || item.kind === 'unknown' ? item.field || item.kind : item.kind

/**
 * Builds the lookup of features by item.
 * @throws when two features claim the same kind or field, and when none takes a field that one subscribes to
 */
export function createTakers(takers: readonly WebhookTaker[], subscribed: readonly string[] = []): WebhookTakers {
  const byName = new Map<string, WebhookTaker>()
  for (const taker of takers)
    for (const name of [
      ...(taker.kinds ?? []).map(kind => `kind ${kind}`),
      ...(taker.fields ?? []).map(field => `field ${field}`),
    ]) {
      const other = byName.get(name)
      if (other) throw new Error(`Both ${other.feature} and ${taker.feature} take the ${name} of webhooks`)
      byName.set(name, taker)
    }
  const takesField = (field: string): boolean => {
    const known = webhookFields.get(field)
    if (!known?.kinds) return known !== undefined && byName.has(`field ${field}`)
    return known.kinds.every(kind => byName.has(`kind ${kind}`))
  }
  const untaken = subscribed.filter(field => !takesField(field))
  if (untaken.length) throw new Error(`No feature takes these subscribed fields: ${untaken.join(', ')}`)
  return {
    takesField,
    of: item => byName.get(item.kind === 'management' ? `field ${item.field}` : `kind ${item.kind}`),
  }
}
