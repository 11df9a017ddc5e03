import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** Columns of the surrounding statement, as `table.column`. */
interface DemandColumns {
  readonly orgId: string
  readonly userId: string
  readonly role: string
  /** A column, or the current session's provider; null: not made by one. */
  readonly providerId: string | { readonly value: string | null }
}

/** SQL condition: the session is not bound to another organization. */
export const isOpenedBySession = (
  // biome-ignore lint/suspicious/noExplicitAny: whatever tables the statement has
  builder: ExpressionBuilder<any, any>,
  { orgId, boundOrgId }: { readonly orgId: string; readonly boundOrgId: string },
): ExpressionWrapper<Database, never, SqlBool> =>
  builder.or([builder(boundOrgId, 'is', null as never), builder(boundOrgId, '=', builder.ref(orgId) as never)]) as never

/**
 * SQL condition: the organization does not demand single sign-on, or the session was made by one of its providers, or
 * the member is the exempt owner. If the exempt person is no longer an owner, every owner is exempt.
 */
export const meetsSsoDemand = (
  // biome-ignore lint/suspicious/noExplicitAny: whatever tables the statement has
  builder: ExpressionBuilder<any, any>,
  { orgId, userId, role, providerId }: DemandColumns,
): ExpressionWrapper<Database, never, SqlBool> => {
  const demand = () =>
    builder.selectFrom('sso_demand as d').select(sql.lit(1).as('one')).whereRef('d.org_id', '=', orgId)
  const owns = builder
    .selectFrom('member as exempt')
    .select(sql.lit(1).as('one'))
    .whereRef('exempt.organizationId', '=', 'd.org_id')
    .whereRef('exempt.userId', '=', 'd.exempt_user_id')
    .where('exempt.role', '=', 'owner')
  const provider = builder.selectFrom('sso_provider as p').select(sql.lit(1).as('one')).whereRef('p.org_id', '=', orgId)
  const made =
    typeof providerId === 'string'
      ? provider.whereRef('p.id', '=', providerId)
      : provider.where('p.id', '=', providerId.value)
  return builder.or([
    builder.not(builder.exists(demand())),
    builder.exists(made),
    builder.and([
      builder(builder.ref(role), '=', 'owner' as never),
      builder.exists(
        demand().where(eb => eb.or([eb('d.exempt_user_id', '=', eb.ref(userId)), eb.not(eb.exists(owns))])),
      ),
    ]),
  ]) as never
}

/** SQL condition, without a session: the member meets the demand, or has signed in at one of its providers before. */
export const couldMeetSsoDemand = (
  // biome-ignore lint/suspicious/noExplicitAny: whatever tables the statement has
  builder: ExpressionBuilder<any, any>,
  columns: Omit<DemandColumns, 'providerId'>,
): ExpressionWrapper<Database, never, SqlBool> =>
  builder.or([
    meetsSsoDemand(builder, { ...columns, providerId: { value: null } }),
    builder.exists(
      builder
        .selectFrom('sso_identity as i')
        .innerJoin('sso_provider as p', 'p.id', 'i.provider_id')
        .select(sql.lit(1).as('one'))
        .whereRef('p.org_id', '=', columns.orgId)
        .whereRef('i.user_id', '=', columns.userId),
    ),
  ]) as never
