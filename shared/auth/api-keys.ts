import { type Capability, capabilities } from '#shared/kernel/permissions.ts'
import { PRODUCT_KEY } from '#shared/kernel/product.ts'

/** What every key begins with, so that people and scanners of leaked secrets know it. */
export const keyPrefix = `${PRODUCT_KEY}_`
export const keyNameMax = 60
/** Dead ones count until they are deleted. */
export const maxKeysPerOrg = 100
/** Lifetimes that the dialog offers, in days. */
export const keyDaysOffered = [30, 90, 365] as const
/** What the dialog offers to bound a key by: what product calls ask for. */
export const keyScopesOffered = [
  'chat:read',
  'chat:reply',
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

/** Why a key opens nothing any more; `active`: it does. */
export type KeyState = 'active' | 'expired' | 'orphaned'

/** A key as it is listed: whoever sees it cannot use it. */
export interface ApiKeyEntry {
  readonly id: string
  readonly name: string
  /** Its first characters. */
  readonly start: string
  readonly createdAt: string
  /** When a call last came with it, to the minute; null: never. */
  readonly lastRequest: string | null
  /** Null: never. */
  readonly expiresAt: string | null
  /** What it was made for; null: whatever its creator may. */
  readonly scopes: readonly Capability[] | null
  /** Name of the person whose role bounds it; null: gone from the organization, and the key opens nothing. */
  readonly createdBy: string | null
  readonly state: KeyState
}

/** `chat:read` as better-auth keeps it: `{ chat: ['read'] }`. */
export function toKeyPermissions(scopes: readonly Capability[]): Record<string, string[]> {
  const permissions: Record<string, string[]> = {}
  for (const scope of scopes) {
    const [noun = '', verb = ''] = scope.split(':')
    permissions[noun] = [...(permissions[noun] ?? []), verb]
  }
  return permissions
}

/** The way back, from stored JSON; null: not bounded. What it names and we do not know opens nothing. */
export function readKeyPermissions(stored: string | null): readonly Capability[] | null {
  if (stored === null) return null
  const permissions = JSON.parse(stored) as Record<string, readonly string[]> | null
  if (permissions === null) return null
  return capabilities.filter(capability => {
    const [noun = '', verb = ''] = capability.split(':')
    return permissions[noun]?.includes(verb) ?? false
  })
}
