import type { Db } from '#server/platform/db/database.ts'
import { findSiteRole } from '../accounts/account-store.ts'

/** The API keys that a person created. */
export async function listKeyIdsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('apikey')
    .innerJoin('member', 'member.id', 'apikey.member_id')
    .where('member.userId', '=', userId)
    .select('apikey.id')
    .limit(5_000)
    .execute()
  return rows.map(({ id }) => id)
}

export async function findOrgOfInvitation(db: Db, invitationId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('invitation')
    .select('organizationId')
    .where('id', '=', invitationId)
    .executeTakeFirst()
  return row?.organizationId
}

export async function findOrgOfTeam(db: Db, teamId: string): Promise<string | undefined> {
  return (await db.selectFrom('team').select('organizationId').where('id', '=', teamId).executeTakeFirst())
    ?.organizationId
}

export async function findOrgOfMembership(db: Db, memberId: string): Promise<string | undefined> {
  return (await db.selectFrom('member').select('organizationId').where('id', '=', memberId).executeTakeFirst())
    ?.organizationId
}

/** True if the person is in another organization, or a site administrator. */
export async function belongsElsewhere(db: Db, userId: string, orgId: string): Promise<boolean> {
  const other = await db
    .selectFrom('member')
    .select('id')
    .where('userId', '=', userId)
    .where('organizationId', '!=', orgId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined || (await findSiteRole(db, userId)) === 'admin'
}

export async function findOrgOfKey(db: Db, keyId: string): Promise<string | undefined> {
  return (await db.selectFrom('apikey').select('referenceId').where('id', '=', keyId).executeTakeFirst())?.referenceId
}

export async function hasOrganizationWithSlug(db: Db, slug: string): Promise<boolean> {
  return (await db.selectFrom('organization').select('id').where('slug', '=', slug).executeTakeFirst()) !== undefined
}

/** The owners of each organization that a person owns, without banned ones. Both numbers are bounded. */
export const listFellowOwners = (db: Db, userId: string) =>
  db
    .selectFrom('member as own')
    .innerJoin('member as fellow', 'fellow.organizationId', 'own.organizationId')
    .innerJoin('organization', 'organization.id', 'own.organizationId')
    .where('own.userId', '=', userId)
    .innerJoin('user as person', 'person.id', 'fellow.userId')
    .where('own.role', '=', 'owner')
    .where('fellow.role', '=', 'owner')
    // A banned fellow owner cannot manage anything.
    .where(eb =>
      eb.or([eb('fellow.userId', '=', userId), eb('person.banned', 'is', null), eb('person.banned', '=', 0)]),
    )
    .select(['organization.id as orgId', 'organization.name', 'fellow.userId'])
    .orderBy('organization.name')
    .limit(2_000)
    .execute()

/** The limit is how many organizations one may be in. */
export async function listOrgIdsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('member')
    .select('organizationId')
    .where('userId', '=', userId)
    .limit(2_000)
    .execute()
  return rows.map(row => row.organizationId)
}
