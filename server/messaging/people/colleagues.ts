import type { Db } from '#server/platform/db/database.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { findAssignee, findTeamName } from './assignment-store.ts'
import { countOpen, listAvailable, listRepliers, listTeamsOf } from './members-store.ts'
import { findNames } from './names-store.ts'

/** The members and teams to whom conversations may be assigned. */
export const colleagues = {
  /** The current names of people and teams, including those who left. Deleted ones are absent. */
  findNames,
  /** Members who may answer customers, with their availability, by id. */
  listAvailable,
  /** The members who are notified of a waiting customer. */
  listRepliers,
  /** Ids of teams by member. */
  listTeamsOf,
  /** The number of open conversations of each of these members. */
  countOpen,
  hasTeam: async (db: Db, orgId: string, id: string): Promise<boolean> =>
    (await findTeamName(db, orgId, id)) !== undefined,
  /** A member who may answer customers. */
  async hasMember(db: Db, orgId: string, id: string): Promise<boolean> {
    const person = await findAssignee(db, orgId, id)
    return person !== undefined && roleCan(effectiveRole(person.role), 'chat:reply')
  },
}
