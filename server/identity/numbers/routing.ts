import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import type { ConnectionFacts, Keyring } from './keyring.ts'

/** The organization and number that a webhook item belongs to. */
export interface WebhookRoute {
  readonly orgId: string
  readonly connectionId: string
}

const routeTo = (facts: ConnectionFacts | undefined): WebhookRoute | undefined =>
  facts && { orgId: facts.orgId, connectionId: facts.id }

/**
 * Decides by the number that the item names. An item received through a connection may only belong to that
 * connection, or to one whose app has the same secret; otherwise an organization could write into another one with
 * its own keys.
 */
export async function routeOf(
  keyring: Pick<Keyring, 'find'>,
  item: Pick<WebhookItem, 'phoneNumberId' | 'wabaId'>,
  connectionId: string | null,
): Promise<WebhookRoute | undefined> {
  const target = await keyring.find(
    item.phoneNumberId ? { phoneNumberId: item.phoneNumberId } : { wabaId: item.wabaId },
  )
  if (!target || connectionId === null || target.facts.id === connectionId) return routeTo(target?.facts)
  const via = await keyring.find({ id: connectionId })
  if (via && !item.phoneNumberId && via.facts.wabaId === item.wabaId) return routeTo(via.facts)
  if (!via?.opened || !target.opened) return undefined
  return via.opened.appSecret === target.opened.appSecret ? routeTo(target.facts) : undefined
}
