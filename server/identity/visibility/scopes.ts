import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { effectiveRole, type OrgRole } from '#shared/kernel/permissions.ts'
import {
  type ConversationFacts,
  isUnlimited,
  type Limits,
  type Scope,
  type ScopeOwner,
  scopeBy,
  seesAll,
} from './scope.ts'
import { findFacts, findLimits, listGranted, listGrantedRoles, listMembersByRole } from './store.ts'

/** The scopes of people. */
export interface Scopes {
  readScope(orgId: string, looker: ScopeOwner): Promise<Scope>
  /** The limits of an organization, from which `scopeBy` makes the scopes of many people. */
  readLimits(orgId: string, db?: Db): Promise<Limits>
  readFacts(orgId: string, conversationIds: readonly string[], db?: Db): Promise<ReadonlyMap<string, ConversationFacts>>
  /** The scopes of these people; non-members are omitted. Null: there are no limits, and everybody sees all. */
  readScopes(db: Db, orgId: string, userIds: readonly string[]): Promise<ReadonlyMap<string, Scope> | null>
  /** The roles that were granted a tag's content, whether or not tags limit conversations. */
  rolesWithTag(db: Db, orgId: string, tagId: string): Promise<OrgRole[]>
  /** The tags whose content a role was granted, whether or not tags limit conversations. */
  tagsOfRole(db: Db, orgId: string, role: OrgRole): Promise<string[]>
}

export const createScopes = ({ databases }: { databases: Databases }): Scopes => ({
  readScope: async (orgId, looker) =>
    isUnlimited(looker.role) ? seesAll : scopeBy(await findLimits(databases.read, orgId, looker.personId), looker),
  readLimits: (orgId, db = databases.read) => findLimits(db, orgId),
  readFacts: (orgId, ids, db = databases.read) => findFacts(db, orgId, ids),
  rolesWithTag: async (db, orgId, tagId) => (await listGrantedRoles(db, orgId, tagId)).map(effectiveRole),
  tagsOfRole: listGranted,
  async readScopes(db, orgId, userIds) {
    const limits = await findLimits(db, orgId)
    if (!limits) return null
    const wanted = new Set(userIds)
    const members = (await listMembersByRole(db, orgId)).filter(({ userId }) => wanted.has(userId))
    return new Map(
      members.map(({ userId, role }) => [userId, scopeBy(limits, { role: effectiveRole(role), personId: userId })]),
    )
  },
})
