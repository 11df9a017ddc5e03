import { belongsTo, bulkWrite } from '#server/platform/db/bulk.ts'

/** Notes it of those who have not opted out; answers whose it is now. */
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

/** Takes it back of those who have; answers whose it was. */
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
