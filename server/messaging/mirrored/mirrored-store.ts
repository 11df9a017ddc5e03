import { outsideId } from '#server/identity/numbers/outside-number.ts'
import { seen } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type ListRow, selectRows } from '../conversations/list-row-store.ts'

/** A page of a list at a time. */
const maxKeys = 500

type MirroredRow = ListRow & { match_key: string }

const selectMirrored = (db: Db, orgId: string, keys: readonly string[]) =>
  selectRows(db)
    .innerJoin('contact_identity', 'contact_identity.contact_id', 'conversation.contact_id')
    .select('contact_identity.match_key')
    .where('contact_identity.org_id', '=', orgId)
    .where('contact_identity.kind', '=', 'phone')
    .where('contact_identity.match_key', 'in', keys)
    .where(belongsTo('conversation.org_id', orgId))
    .where('wa_connection.phone_number_id', '=', outsideId)

/** Compiled once: each event of an upstream asks it. */
const findAll = lookupQuery<{ orgId: string }, MirroredRow>((db, keys, { orgId }) => selectMirrored(db, orgId, keys))

/** Conversations of the number that another system operates, by keys of phone numbers; those that the viewer sees. */
export async function findMirrored(db: Db, { orgId, scope }: Viewer, keys: readonly string[]): Promise<MirroredRow[]> {
  if (scope.kind === 'all') return findAll(db, keys, { orgId })
  const rows: MirroredRow[] = []
  for (let from = 0; from < keys.length; from += maxKeys) {
    const some = selectMirrored(db, orgId, keys.slice(from, from + maxKeys))
    rows.push(...(await some.where(seen(scope)).execute()))
  }
  return rows
}
