import type { OrgWrite } from '#server/platform/events/write.ts'
import type { WebhookItem } from '#server/whatsapp/inbound.ts'

type ItemKind = Exclude<WebhookItem['kind'], 'management' | 'unknown'>

/** How far a taker got with what needs no transaction. */
export interface ReadAhead {
  /** How many of the items, from the first on; at least one. The others are read in a later slice. */
  readonly items: number
  /** What they cost, in steps of `shared/kernel/work.ts`. */
  readonly steps: number
}

/**
 * A feature that owns some of what webhooks say. `apply` gets the items of one organization in order of arrival, inside the
 * transaction that settles them; it is idempotent, because a slice may come twice.
 */
export interface WebhookTaker {
  readonly feature: string
  readonly kinds?: readonly ItemKind[]
  /** Of `management` items: Meta's names of what they are about, e.g. `message_template_status_update`. */
  readonly fields?: readonly string[]
  apply(write: OrgWrite, items: readonly WebhookItem[]): Promise<void>
  /** What takes long and needs no transaction, before `apply` is called with them. */
  readAhead?(orgId: string, items: readonly WebhookItem[]): Promise<ReadAhead>
}

export interface WebhookTakers {
  /** Whose an item is; undefined: no feature takes it, and it is kept. */
  of(item: WebhookItem): WebhookTaker | undefined
}

/** What an item is called where it is counted. */
export const nameOfItem = (item: WebhookItem): string =>
  item.kind === 'management' || item.kind === 'unknown' ? item.field || item.kind : item.kind

/** The one list of who takes what. @throws when two features take the same. */
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
