import { belongsTo, bulkWrite } from '#server/platform/db/bulk.ts'

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
