import { type Capability, capabilities } from '#shared/kernel/permissions.ts'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'

/** The prefix of every key, by which people and secret scanners recognize it. */
export const keyPrefix = `${PRODUCT_KEY}_`
export const keyNameMax = 60
export const keyNetworksMax = 20
/** Unusable keys count until they are deleted. */
export const maxKeysPerOrg = 100
/** Lifetimes that the dialog offers, in days. */
export const keyDaysOffered = [30, 90, 365] as const
/** Limits for a key that the dialog offers: those that product calls require. */
export const keyScopesOffered = [
  'chat:read',
  'chat:reply',
  'note:write',
  'bulk:send',
  'template:edit',
  'flow:edit',
  'stats:read',
  'connection:read',
  'cost:read',
  'connection:manage',
  'sandbox:use',
  'member:manage',
  'contact:erase',
  'org:update',
  'audit:read',
  'integration:manage',
] as const satisfies readonly Capability[]
export type KeyScope = (typeof keyScopesOffered)[number]
export const keySecondsMin = 60
export const keySecondsMax = 5 * 365 * 86_400

/** Why a key is unusable; `active`: it is usable. */
export type KeyState = 'active' | 'expired' | 'orphaned'

/** A listed key, without its secret. */
export interface ApiKeyEntry {
  readonly id: string
  readonly name: string
  /** The first characters. */
  readonly start: string
  readonly createdAt: string
  /** It was last used at this time, to the minute; null: never. */
  readonly lastRequest: string | null
  /** Null: never. */
  readonly expiresAt: string | null
  /** The capabilities that it was made for. Null: those of its creator. */
  readonly scopes: readonly Capability[] | null
  /** The networks from which it may be used. Null: any. */
  readonly networks: readonly string[] | null
  /** The creator, whose role limits the key; null: the creator has left, and the key is unusable. */
  readonly createdBy: string | null
  readonly state: KeyState
}

/** `chat:read` in better-auth's form: `{ chat: ['read'] }`. */
export function toKeyPermissions(scopes: readonly Capability[]): Record<string, string[]> {
  const permissions: Record<string, string[]> = {}
  for (const scope of scopes) {
    const [noun = '', verb = ''] = scope.split(':')
    permissions[noun] = [...(permissions[noun] ?? []), verb]
  }
  return permissions
}

/** The reverse, from stored JSON; null: not limited. Unknown permissions are ignored. */
export function readKeyPermissions(stored: string | null): readonly Capability[] | null {
  if (stored === null) return null
  const permissions = JSON.parse(stored) as Record<string, readonly string[]> | null
  if (permissions === null) return null
  return capabilities.filter(capability => {
    const [noun = '', verb = ''] = capability.split(':')
    return permissions[noun]?.includes(verb) ?? false
  })
}
