import { type OrgRole, roleCan } from '#shared/permissions.ts'
import type { Db } from '../db.ts'
import type { Scopes } from '../visibility/scopes.ts'
import { findTagsOfContacts } from './audience-store.ts'

/** Whom somebody may send to: everybody (null), or contacts with one of these tags. */
export type GrantedTags = ReadonlySet<string> | null

/** Owners and admins send to everybody, other roles to contacts with a tag whose content was granted to them. */
export async function findGrantedTags(
  db: Db,
  orgId: string,
  role: OrgRole,
  scopes: Pick<Scopes, 'tagsOfRole'>,
): Promise<GrantedTags> {
  if (roleCan(role, 'member:manage')) return null
  return new Set(await scopes.tagsOfRole(db, orgId, role))
}

/** Those of these contacts that may be sent to. */
export async function findPermitted(
  db: Db,
  orgId: string,
  granted: GrantedTags,
  contactIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (granted === null) return new Set(contactIds)
  if (!granted.size || !contactIds.length) return new Set()
  const rows = await findTagsOfContacts(db, contactIds, { orgId })
  return new Set(rows.filter(row => granted.has(row.tag_id)).map(row => row.contact_id))
}
