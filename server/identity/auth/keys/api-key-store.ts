import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'

/** Keys of this kind are created by people; those of the other kind stand for programs that people connected. */
const createdKind = 'default'
export const programKind = 'program'

/**
 * Usable keys, each with its organization and its member's role. A key is not usable if it is deleted, expired or
 * disabled, or if its member is banned, has left (rejoining makes another membership), or lacks the second factor that
 * the organization demands.
 */
export const liveKeys = (db: Db, now: string) =>
  db
    .selectFrom('apikey')
    .innerJoin('member', 'member.id', 'apikey.member_id')
    .innerJoin('user', 'user.id', 'member.userId')
    .innerJoin('organization', 'organization.id', 'apikey.referenceId')
    .leftJoin('org_settings', 'org_settings.org_id', 'apikey.referenceId')
    .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
    .whereRef('member.organizationId', '=', 'apikey.referenceId')
    .where('apikey.enabled', '=', 1)
    .where(eb => eb.or([eb('apikey.expiresAt', 'is', null), eb('apikey.expiresAt', '>=', now)]))
    .where(eb => eb.or([eb('apikey.remaining', 'is', null), eb('apikey.remaining', '>', 0)]))
    .where(eb => eb.or([eb('user.banned', 'is', null), eb('user.banned', '=', 0), eb('user.banExpires', '<', now)]))
    .where('organization.deleted_at', 'is', null)
    .where(eb =>
      eb.or([
        eb('org_settings.second_factor_required', 'is', null),
        eb('org_settings.second_factor_required', '=', 0),
        eb('second_factor.user_id', 'is not', null),
      ]),
    )
    .select([
      'apikey.id',
      'apikey.name',
      'apikey.permissions',
      'apikey.networks',
      'apikey.lastRequest',
      'member.role',
      'member.userId',
      'organization.id as orgId',
      'organization.slug as orgSlug',
      'organization.name as orgName',
    ])

/** The networks from which a key may be used. Null: from anywhere. */
export const networksOf = ({ networks }: { readonly networks: string | null }): string[] | null =>
  networks === null ? null : (JSON.parse(networks) as string[])

export type LiveKey = Awaited<ReturnType<typeof findLiveKey>>[number]

/** Finds a usable key by its hash. */
export const findLiveKey = hotQuery((db, p: { hash: string; now: string }) =>
  liveKeys(db, p.now).where('apikey.key', '=', p.hash).where('apikey.configId', '=', createdKind),
)

/** Records that a key was used, unless a use after `before` is recorded. */
export async function touchKey(db: Db, orgId: string, id: string, at: { now: string; before: string }): Promise<void> {
  await db
    .updateTable('apikey')
    .set({ lastRequest: at.now })
    .where('id', '=', id)
    .where('referenceId', '=', orgId)
    .where(eb => eb.or([eb('lastRequest', 'is', null), eb('lastRequest', '<', at.before)]))
    .execute()
}

interface KeyBinding {
  readonly id: string
  readonly userId: string
  /** Null: it may be used from anywhere. */
  readonly networks: readonly string[] | null
}

/** Ties a key to a membership: from now on it can do at most what that member's role allows. */
export async function bindKey(db: Db, orgId: string, { id, userId, networks }: KeyBinding): Promise<boolean> {
  const result = await db
    .updateTable('apikey')
    .set(eb => ({
      networks: networks && JSON.stringify(networks),
      member_id: eb
        .selectFrom('member')
        .select('member.id')
        .where('member.organizationId', '=', orgId)
        .where('member.userId', '=', userId),
    }))
    .where('id', '=', id)
    .where('referenceId', '=', orgId)
    .returning('member_id')
    .executeTakeFirst()
  return Boolean(result?.member_id)
}

/** Newest first, without hashes. */
export const listKeys = (db: Db, orgId: string, limit: number) =>
  db
    .selectFrom('apikey')
    .leftJoin('member', 'member.id', 'apikey.member_id')
    .leftJoin('user', 'user.id', 'member.userId')
    .where('apikey.referenceId', '=', orgId)
    .where('apikey.configId', '=', createdKind)
    .select([
      'apikey.id',
      'apikey.name',
      'apikey.start',
      'apikey.createdAt',
      'apikey.lastRequest',
      'apikey.expiresAt',
      'apikey.permissions',
      'apikey.networks',
      'user.name as createdBy',
    ])
    .orderBy('apikey.createdAt', 'desc')
    .orderBy('apikey.id', 'desc')
    .limit(limit)
    .execute()

/** Finds keys by id or hash, usable or not. */
export const findKeys = (db: Db, { ids, hashes }: { ids: readonly string[]; hashes: readonly string[] }) =>
  db
    .selectFrom('apikey')
    .where(eb =>
      eb.or([
        ...(ids.length ? [eb('id', 'in', [...ids])] : []),
        ...(hashes.length ? [eb('key', 'in', [...hashes])] : []),
      ]),
    )
    .select(['id', 'key as hash', 'referenceId as orgId'])
    .execute()

/** Newest first. */
export const listKeyNames = async (db: Db, orgId: string): Promise<{ id: string; name: string }[]> => {
  const rows = await db
    .selectFrom('apikey')
    .where('referenceId', '=', orgId)
    .select(['id', 'name'])
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ id, name }) => ({ id, name: name ?? '' }))
}

export async function countKeys(db: Db, orgId: string): Promise<number> {
  const row = await db
    .selectFrom('apikey')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('referenceId', '=', orgId)
    .executeTakeFirstOrThrow()
  return row.count
}

export async function findKeyOrg(db: Db, id: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('apikey')
    .select('referenceId')
    .where('id', '=', id)
    .where('configId', '=', createdKind)
    .executeTakeFirst()
  return row?.referenceId
}

export async function deleteExpiredKeys(db: Db, orgId: string, now: string): Promise<number> {
  const result = await db
    .deleteFrom('apikey')
    .where('referenceId', '=', orgId)
    .where('expiresAt', '<', now)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
