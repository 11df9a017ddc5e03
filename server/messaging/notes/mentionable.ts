import { sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Mentionable, maxMentionable } from '#shared/inbox/notes.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { listColleagues } from './note-store.ts'

/** Members who see a conversation, by name, at most 500. */
export async function listMentionable(
  db: Db,
  orgId: string,
  conversationId: string,
  scopes: Pick<Scopes, 'scopesOf' | 'factsOf'>,
): Promise<Mentionable[]> {
  const readers = (await listColleagues(db, orgId, maxMentionable)).filter(({ role }) =>
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
