import { sql } from 'kysely'
import { meetsSsoDemand } from '#server/identity/auth/sso/demand-condition.ts'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'

/** `last_activity_at` of conversations that contain only bulk sends. */
const neverActive = '1970-01-01T00:00:00.000Z'

/** Bounds the organization switcher; nobody is in this many by accident. */
const maxOrgsListed = 200

export const lacksSecondFactor = (row: {
  readonly second_factor_required: number | null
  readonly second_factor_since: string | null
}): boolean => row.second_factor_required === 1 && row.second_factor_since === null

/** A person's memberships, with role and whether the person meets the organization's demands. */
const selectMemberships = (db: Db, p: { userId: string; providerId: string | null }) =>
  db
    .selectFrom('member')
    .innerJoin('organization', 'organization.id', 'member.organizationId')
    .leftJoin('org_settings', 'org_settings.org_id', 'organization.id')
    .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
    .where('member.userId', '=', p.userId)
    .select(['organization.id', 'organization.name', 'organization.slug', 'organization.logo', 'member.role'])
    .select(['org_settings.second_factor_required', 'second_factor.created_at as second_factor_since'])
    .select(eb =>
      meetsSsoDemand(eb, {
        orgId: 'organization.id',
        userId: 'member.userId',
        role: 'member.role',
        providerId: { value: p.providerId },
      }).as('meets_sso'),
    )

const orgOfMember = hotQuery((db, p: { userId: string; org: string; providerId: string | null }) =>
  selectMemberships(db, p)
    .where(eb => eb.or([eb('organization.id', '=', p.org), eb('organization.slug', '=', p.org)]))
    .limit(2),
)

/** Finds an organization by id or slug; the id wins. Undefined: not a member. */
export async function findOrgOfMember(db: Db, userId: string, org: string, providerId: string | null = null) {
  const rows = await orgOfMember(db, { userId, org, providerId })
  return rows.find(row => row.id === org) ?? rows[0]
}

const orgsOfPerson = hotQuery((db, p: { userId: string; providerId: string | null }) =>
  selectMemberships(db, p)
    .leftJoin('org_deletion', 'org_deletion.org_id', 'organization.id')
    .select('org_deletion.due_at as deletesAt')
    .orderBy('organization.name')
    .orderBy('organization.id')
    .limit(maxOrgsListed),
)

/** The organizations by name, with the time of a scheduled deletion. */
export const listOrgsOfPerson = (db: Db, userId: string, providerId: string | null = null) =>
  orgsOfPerson(db, { userId, providerId })

/** Unread conversations counted per organization. Nobody needs the exact sum beyond. */
const maxUnreadConversations = 500

const inboxesOfPerson = hotQuery((db, p: { userId: string; providerId: string | null }) =>
  selectMemberships(db, p)
    .select(eb => [
      eb
        .selectFrom(
          eb
            .selectFrom('conversation')
            .select('conversation.unread')
            .whereRef('conversation.org_id', '=', 'organization.id')
            .where('conversation.kind', '=', listedKind(eb.ref('organization.id')))
            .where('conversation.archived', '=', sql.lit(0))
            // A literal, because a partial index does not match a parameter.
            .where('conversation.unread', '>', sql.lit(0))
            .limit(sql.lit(maxUnreadConversations))
            .as('waiting'),
        )
        .select(inner => inner.fn.sum<number>('waiting.unread').as('sum'))
        .as('unread'),
      eb
        .selectFrom('conversation as latest')
        .select('latest.last_activity_at')
        .whereRef('latest.org_id', '=', 'organization.id')
        .where('latest.kind', '=', listedKind(eb.ref('organization.id')))
        .where('latest.archived', '=', sql.lit(0))
        .where('latest.last_activity_at', '>', sql.lit(neverActive))
        .orderBy('latest.last_activity_at', 'desc')
        .limit(sql.lit(1))
        .as('lastActivityAt'),
    ])
    .orderBy('organization.name')
    .orderBy('organization.id')
    .limit(sql.lit(maxOrgsListed)),
)

/** The organizations by name, with the inbox's unread count (null: none) and latest activity. */
export const listInboxesOfPerson = (db: Db, userId: string, providerId: string | null = null) =>
  inboxesOfPerson(db, { userId, providerId })

/** The unread count and latest activity for a member with a limited scope, over the newest conversations. */
export async function findInboxFor(db: Db, { orgId, scope }: Viewer) {
  const newest = db
    .selectFrom('conversation')
    .where('conversation.org_id', '=', orgId)
    .where('conversation.kind', '=', listedKind(orgId))
    .where('conversation.archived', '=', sql.lit(0))
    .where('conversation.last_activity_at', '>', sql.lit(neverActive))
  const facts = [
    'conversation.unread',
    'conversation.last_activity_at',
    'contact_id',
    'assignee_id',
    'team_id',
  ] as const
  const waiting = await db
    .selectFrom(
      newest.select(facts).where('conversation.unread', '>', sql.lit(0)).limit(maxUnreadConversations).as('waiting'),
    )
    .where(seen(scope, 'waiting'))
    .select(eb => eb.fn.sum<number>('waiting.unread').as('unread'))
    .executeTakeFirst()
  const latest = await db
    .selectFrom(
      newest.select(facts).orderBy('conversation.last_activity_at', 'desc').limit(maxUnreadConversations).as('latest'),
    )
    .where(seen(scope, 'latest'))
    .select(eb => eb.fn.max('latest.last_activity_at').as('at'))
    .executeTakeFirst()
  return { unread: waiting?.unread ?? null, lastActivityAt: latest?.at ?? null }
}

/** True if the slug is taken. A former one counts, too. */
export async function isSlugTaken(db: Db, slug: string): Promise<boolean> {
  const row = await db
    .selectFrom('organization')
    .select('slug')
    .where('slug', '=', slug)
    .unionAll(db.selectFrom('former_slug').select('slug').where('slug', '=', slug))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const renamedOrg = hotQuery((db, p: { slug: string }) =>
  db.selectFrom('former_slug').select('org_id').where('slug', '=', p.slug),
)

/** The organization that had this slug before; undefined: none. */
export const findOrgOfFormerSlug = async (db: Db, slug: string): Promise<string | undefined> =>
  (await renamedOrg(db, { slug }))[0]?.org_id
