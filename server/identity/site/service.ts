import type { Databases } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { type SiteEntry, type siteApi, siteOrgsListed, sitePeoplePerPage } from '#shared/site/api.ts'
import { countSessions, listOrgsOf, listPeople } from './store.ts'

interface SiteParts {
  readonly databases: Databases
  readonly clock: Clock
  /** Sessions of other people, from `auth`. */
  readonly sessions: ServiceOf<Pick<typeof siteApi, 'listSessions' | 'endSession'>, Person>
  /** Lists actions of site administrators, newest first. */
  listEntries(before: string | undefined): Promise<{ items: SiteEntry[]; hasMore: boolean }>
}

/** The reading calls of site administrators. Changes are calls of better-auth. */
export const createSite = ({
  databases,
  clock,
  sessions,
  listEntries,
}: SiteParts): ServiceOf<typeof siteApi, Person> => ({
  async listPeople(_person, { query: { search, banned, after } }) {
    const db = databases.read
    const now = isoNow(clock)
    const filter = { search: search?.trim().toLowerCase(), banned, after, now }
    const rows = await listPeople(db, filter, sitePeoplePerPage + 1)
    const page = rows.slice(0, sitePeoplePerPage)
    const ids = page.map(({ id }) => id)
    const [sessions, orgs] = ids.length
      ? await Promise.all([countSessions(db, ids, now), listOrgsOf(db, ids, siteOrgsListed)])
      : [[], []]
    const sessionsOf = new Map(sessions.map(row => [row.userId, row]))
    const orgsOf = Map.groupBy(orgs, ({ userId }) => userId)
    return {
      items: page.map(row => {
        const isBanned = row.banned === 1 && (row.banExpires === null || row.banExpires >= now)
        return {
          id: row.id,
          name: row.name,
          email: row.email,
          createdAt: row.createdAt,
          isAdmin: row.role === 'admin',
          ban: isBanned ? { reason: row.banReason, endsAt: row.banExpires } : null,
          sessions: Number(sessionsOf.get(row.id)?.count ?? 0),
          lastUsedAt: sessionsOf.get(row.id)?.lastUsedAt ?? null,
          organizations: (orgsOf.get(row.id) ?? []).map(({ id, name, slug, role }) => ({
            id,
            name,
            slug,
            role: effectiveRole(role),
          })),
        }
      }),
      hasMore: rows.length > page.length,
    }
  },

  ...sessions,

  listEntries: (_person, { query: { before } }) => listEntries(before),
})
