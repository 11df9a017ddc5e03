import { type Expression, type RawBuilder, sql } from 'kysely'

/**
 * Which conversations an organization's inbox shows: those of real numbers, or of the simulator's; never both. What was
 * connected last decides, also after it was let go. One look at the organization's few numbers for a whole query.
 */
export const listedKind = (org: string | Expression<string>): RawBuilder<'cloud' | 'sandbox'> =>
  sql<'cloud' | 'sandbox'>`coalesce((select min(listed.kind) from wa_connection as listed
    where listed.org_id = ${org} and listed.is_listed = 1), 'cloud')`
