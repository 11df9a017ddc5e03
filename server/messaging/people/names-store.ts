import { lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

interface Named {
  id: string
  name: string
}

/** People by id, former members included. */
const findPeople = lookupQuery<object, Named>((db, ids) =>
  db.selectFrom('user').select(['id', 'name']).where('id', 'in', ids),
)

const findTeams = lookupQuery<{ orgId: string }, Named>((db, ids, { orgId }) =>
  db.selectFrom('team').select(['id', 'name']).where('id', 'in', ids).where('organizationId', '=', orgId),
)

const byId = (rows: readonly Named[]) => new Map(rows.map(({ id, name }) => [id, name]))

/** Current names of people and teams. Deleted ones are absent. Empty lists are not queried. */
export async function findNames(
  db: Db,
  orgId: string,
  { personIds, teamIds }: { personIds: readonly string[]; teamIds: readonly string[] },
): Promise<{ people: ReadonlyMap<string, string>; teams: ReadonlyMap<string, string> }> {
  return {
    people: byId(personIds.length ? await findPeople(db, personIds, {}) : []),
    teams: byId(teamIds.length ? await findTeams(db, teamIds, { orgId }) : []),
  }
}
