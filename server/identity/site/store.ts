import type { Db } from '#server/platform/db/database.ts'

interface PeopleFilter {
  /** Lower case. */
  readonly search?: string | undefined
  readonly banned?: boolean | undefined
  readonly after?: string | undefined
  readonly now: string
}

/** Accounts by address, those that match the filter. */
export const listPeople = (db: Db, { search, banned, after, now }: PeopleFilter, limit: number) => {
  let query = db
    .selectFrom('user')
    .select(['id', 'name', 'email', 'createdAt', 'role', 'banned', 'banReason', 'banExpires'])
  if (after !== undefined) query = query.where('email', '>', after)
  if (banned)
    query = query
      .where('banned', '=', 1)
      .where(eb => eb.or([eb('banExpires', 'is', null), eb('banExpires', '>=', now)]))
  if (search)
    query = query.where(eb => {
      // Compares literally: `like` would interpret `%` and `_`, and escapes them differently on each engine.
      const holds = (column: 'name' | 'email') => {
        const folded = eb.fn<string>('lower', [column])
        return eb(eb.fn<string>('replace', [folded, eb.val(search), eb.val('')]), '!=', folded)
      }
      return eb.or([holds('name'), holds('email')])
    })
  return query.orderBy('email').limit(limit).execute()
}

/** Live sessions per person, and when one was last used. Impersonated sessions do not count. */
export const countSessions = (db: Db, userIds: readonly string[], now: string) =>
  db
    .selectFrom('session')
    .where('userId', 'in', userIds)
    .where('expiresAt', '>=', now)
    .where('impersonatedBy', 'is', null)
    .where('halfSignedInBy', 'is', null)
    .groupBy('userId')
    .select(eb => ['userId', eb.fn.countAll<number>().as('count'), eb.fn.max('updatedAt').as('lastUsedAt')])
    .execute()

/** The first organizations of each person, by name. */
export const listOrgsOf = (db: Db, userIds: readonly string[], maxOfEach: number) =>
  db
    .selectFrom(
      db
        .selectFrom('member')
        .innerJoin('organization', 'organization.id', 'member.organizationId')
        .where('member.userId', 'in', userIds)
        .where('organization.deleted_at', 'is', null)
        .select(eb => [
          'member.userId',
          'member.role',
          'organization.id',
          'organization.name',
          'organization.slug',
          eb.fn
            .agg<number>('row_number')
            .over(over => over.partitionBy('member.userId').orderBy('organization.name').orderBy('organization.id'))
            .as('place'),
        ])
        .as('one'),
    )
    .where('place', '<=', maxOfEach)
    .select(['userId', 'role', 'id', 'name', 'slug'])
    .orderBy('userId')
    .orderBy('place')
    .execute()
