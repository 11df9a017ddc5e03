import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * SQL: which conversations the inbox shows, those of real numbers or the simulator's, never both. The number connected
 * last decides, even after it was disconnected. Evaluated once per query.
 */
export const listedKind = (org: string | Expression<string>): RawBuilder<'cloud' | 'sandbox'> =>
  sql<'cloud' | 'sandbox'>`coalesce((select min(listed.kind) from wa_connection as listed
    where listed.org_id = ${org} and listed.is_listed = 1), 'cloud')`

/** SQL: ids of the numbers whose conversations the inbox shows. @see listedKind */
export const listedNumbers = (orgId: string): RawBuilder<string> =>
  sql<string>`(select listed_number.id from wa_connection as listed_number
    where listed_number.org_id = ${orgId} and listed_number.kind = ${listedKind(orgId)})`
