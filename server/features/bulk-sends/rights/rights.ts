import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type OrgRole, roleCan } from '#shared/kernel/permissions.ts'
import { findTagsOfContacts } from '../audience/audience-store.ts'

/** The contacts a role may send to: everybody (null), or contacts with one of these tags. */
export type GrantedTags = ReadonlySet<string> | null

/** Owners and admins send to everybody, other roles to contacts with a tag that was granted to them. */
export async function findGrantedTags(
  db: Db,
  orgId: string,
  role: OrgRole,
  scopes: Pick<Scopes, 'tagsOfRole'>,
): Promise<GrantedTags> {
  if (roleCan(role, 'member:manage')) return null
  return new Set(await scopes.tagsOfRole(db, orgId, role))
}

/** Tags of each of these contacts. Contacts without tags are absent. */
export async function findTags(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!contactIds.length) return new Map()
  const rows = Map.groupBy(await findTagsOfContacts(db, contactIds, { orgId }), row => row.contact_id)
  return new Map([...rows].map(([id, own]) => [id, own.map(row => row.tag_id)]))
}

/** True if a contact with these tags may be sent to. */
export const isGranted = (granted: GrantedTags, tagIds: readonly string[]): boolean =>
  granted === null || tagIds.some(tag => granted.has(tag))

/** Returns the contacts that may be sent to. */
export async function findPermitted(
  db: Db,
  orgId: string,
  granted: GrantedTags,
  contactIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (granted === null) return new Set(contactIds)
  if (!granted.size) return new Set()
  const tags = await findTags(db, orgId, contactIds)
  return new Set([...tags].filter(([, own]) => isGranted(granted, own)).map(([id]) => id))
}
