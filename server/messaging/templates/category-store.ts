import { belongsTo, lookupQuery } from '#server/platform/db/bulk.ts'

/** Meta's categories of templates as they are now. */
export const findCategories = lookupQuery<{ orgId: string }, { id: string; category: string }>((db, ids, { orgId }) =>
  db
    .selectFrom('template')
    .select(['id', 'category'])
    .where('id', 'in', ids)
    .where(belongsTo('template.org_id', orgId)),
)
