import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from 'kysely'
import type { Database } from '#server/platform/db/database.ts'

/** Where a statement has what the condition needs; columns as `table.column`. */
interface Places {
  readonly orgId: string
  readonly userId: string
  readonly role: string
  /** A column, or the provider of the session at hand: null when it was made by none. */
  readonly providerId: string | { readonly value: string | null }
}

/** Whether a session may see an organization as far as that depends on who made the session. For statements of others. */
export const isOpenedBySession = (
  // biome-ignore lint/suspicious/noExplicitAny: whatever tables the statement has
  builder: ExpressionBuilder<any, any>,
  { orgId, boundOrgId }: { readonly orgId: string; readonly boundOrgId: string },
): ExpressionWrapper<Database, never, SqlBool> =>
  builder.or([builder(boundOrgId, 'is', null as never), builder(boundOrgId, '=', builder.ref(orgId) as never)]) as never

/**
 * Whether a member in a session may see an organization as far as it demands single sign-on: it does not; or the
 * session was made by a provider of its own; or the member is the owner who is exempt, or any owner when that one is
 * none any more. For the statements of others.
 */
export const meetsSsoDemand = (
  // biome-ignore lint/suspicious/noExplicitAny: whatever tables the statement has
  builder: ExpressionBuilder<any, any>,
  { orgId, userId, role, providerId }: Places,
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
