import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'

/** The rights that a person or a key has now, for work they requested earlier. */
export interface CurrentRights {
  readonly role: OrgRole
  /** The person whose scope applies. For a key, its creator. */
  readonly personId: string
}

export interface ActingParts {
  readonly scopes: Pick<Scopes, 'readScope'>
  /** Undefined: they may do nothing here any more. */
  findCurrentRights(
    db: Db,
    orgId: string,
    author: { kind: 'person' | 'key'; id: string },
  ): Promise<CurrentRights | undefined>
  /** Undefined: deleted. */
  findOrganization(db: Db, orgId: string): Promise<{ name: string; slug: string } | undefined>
}

interface ActingAuthor {
  readonly kind: 'person' | 'key'
  readonly id: string
  readonly name: string
  readonly language: Language
}

/**
 * The author of an earlier request, as a caller with current rights. Undefined: the member left or was banned, the key
 * was deleted, or the organization no longer exists.
 */
export async function findActingCaller(
  db: Db,
  orgId: string,
  { kind, id, name, language }: ActingAuthor,
  { scopes, findCurrentRights, findOrganization }: ActingParts,
): Promise<OrgCaller | undefined> {
  const rights = await findCurrentRights(db, orgId, { kind, id })
  const organization = rights && (await findOrganization(db, orgId))
  if (!organization) return undefined
  const { role } = rights
  const scope = await scopes.readScope(orgId, rights)
  const common = { orgId, orgSlug: organization.slug, orgName: organization.name, role, scope, language, name }
  return kind === 'key'
    ? { ...common, kind, keyId: id, capabilities: null, creatorId: rights.personId }
    : {
        ...common,
        kind,
        userId: id,
        email: '',
        image: null,
        siteRole: 'user',
        sessionId: '',
        activeOrgId: orgId,
      }
}
