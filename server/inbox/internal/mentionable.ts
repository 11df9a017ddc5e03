import { type Mentionable, mostMentionable } from '#shared/notes.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'
import type { Db } from '../../db.ts'
import { sees } from '../../visibility/scope.ts'
import type { Scopes } from '../../visibility/scopes.ts'
import { listColleagues } from './note-store.ts'

/** Members who see a conversation, by name; 500 at most. */
export async function listMentionable(
  db: Db,
  orgId: string,
  conversationId: string,
  scopes: Pick<Scopes, 'scopesOf' | 'factsOf'>,
): Promise<Mentionable[]> {
  const readers = (await listColleagues(db, orgId, mostMentionable)).filter(({ role }) =>
    roleCan(effectiveRole(role), 'chat:read'),
  )
  const theirs = await scopes.scopesOf(
    db,
    orgId,
    readers.map(({ id }) => id),
  )
  const facts = theirs ? (await scopes.factsOf(orgId, [conversationId], db)).get(conversationId) : undefined
  const isThere = (id: string) => {
    const scope = theirs?.get(id)
    return theirs === null || (scope !== undefined && sees(scope, facts))
  }
  return readers.filter(({ id }) => isThere(id)).map(({ id, name }) => ({ id, name }))
}
