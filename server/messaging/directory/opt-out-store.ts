import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'

/** Opts out contacts that have not opted out. Returns those that changed. */
export const saveOptOuts = bulkWrite<{ contactId: string }, { orgId: string; optOut: string }, { id: string }>(
  (db, rows, { orgId, optOut }) =>
    db
      .updateTable('contact')
      .set({ opt_out: optOut })
      .where(belongsTo('contact.org_id', orgId))
      .where(
        'id',
        'in',
        rows.map(row => row.contactId),
      )
      .where('opt_out', 'is', null)
      .returning('id'),
)

/** Removes the opt-out of contacts that have one. Returns those that changed. */
export const removeOptOuts = bulkWrite<{ contactId: string }, { orgId: string }, { id: string }>(
  (db, rows, { orgId }) =>
    db
      .updateTable('contact')
      .set({ opt_out: null })
      .where(belongsTo('contact.org_id', orgId))
      .where(
        'id',
        'in',
        rows.map(row => row.contactId),
      )
      .where('opt_out', 'is not', null)
      .returning('id'),
)

const findStored = lookupQuery<{ orgId: string }, { id: string; opt_out: string }>((db, ids, { orgId }) =>
  db
    .selectFrom('contact')
    .select(['id', 'opt_out'])
    .$narrowType<{ opt_out: string }>()
    .where('id', 'in', ids)
    .where('opt_out', 'is not', null)
    .where(belongsTo('contact.org_id', orgId)),
)

/** Returns those contacts that opted out. */
export const findOptOuts = async (
  db: Db,
  ids: readonly string[],
  of: { orgId: string },
): Promise<{ id: string; optOut: OptOut }[]> =>
  (await findStored(db, ids, of)).map(row => ({ id: row.id, optOut: JSON.parse(row.opt_out) as OptOut }))
