import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'

interface ChatOfIdentity {
  readonly id: string
  /** The id of our number. */
  readonly line: string
  readonly kind: string
  readonly match_key: string
}

/** Chats of the customers with these identifiers that the viewer sees, on each of our numbers. */
export const listChatsOf = (db: Db, { orgId, scope }: Viewer, keys: readonly string[]): Promise<ChatOfIdentity[]> =>
  keys.length
    ? db
        .selectFrom('contact_identity')
        .innerJoin('conversation', 'conversation.contact_id', 'contact_identity.contact_id')
        .select(['conversation.id', 'conversation.connection_id as line'])
        .select(['contact_identity.kind', 'contact_identity.match_key'])
        .where('contact_identity.org_id', '=', orgId)
        .where('contact_identity.kind', 'in', ['phone', 'bsuid', 'username'])
        .where('contact_identity.match_key', 'in', keys)
        .where(seen(scope))
        .execute()
    : Promise.resolve([])
