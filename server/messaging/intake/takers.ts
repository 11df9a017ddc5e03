import type { OrgWrite } from '#server/platform/events/write.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'

type ItemKind = Exclude<WebhookItem['kind'], 'management' | 'unknown'>

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
}

/** The name under which an item is counted. */
export const nameOfItem = (item: WebhookItem): string =>
  item.kind === 'management' || item.kind === 'unknown' ? item.field || item.kind : item.kind

/** Builds the lookup of features by item. @throws when two features claim the same kind or field. */
export function createTakers(takers: readonly WebhookTaker[]): WebhookTakers {
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
  return {
    of: item => byName.get(item.kind === 'management' ? `field ${item.field}` : `kind ${item.kind}`),
  }
}
