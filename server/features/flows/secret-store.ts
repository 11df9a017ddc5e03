import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { maxFlows } from '#shared/flows/api.ts'
import { readGraph } from '#shared/flows/exchange.ts'
import { maxFlowSecrets } from '#shared/flows/http/secrets.ts'
import { secretsIn } from '#shared/flows/uses.ts'

export interface StoredSecret {
  readonly name: string
  readonly host: string
  readonly sealed: string
  readonly changedAt: string
  readonly changedBy: string
}

/** Ordered by name. */
export const listSecrets = (db: Db, orgId: string): Promise<StoredSecret[]> =>
  db
    .selectFrom('flow_secret')
    .select(['name', 'host', 'sealed', 'changed_at as changedAt', 'changed_by as changedBy'])
    .where('org_id', '=', orgId)
    .orderBy('name')
    .limit(maxFlowSecrets)
    .execute()

export const hasSecrets = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('flow_secret').select('name').limit(1).executeTakeFirst()) !== undefined

export async function saveSecret(db: OrgDb, orgId: string, secret: StoredSecret): Promise<void> {
  const { host, sealed, changedAt: changed_at, changedBy: changed_by } = secret
  const values = { host, sealed, changed_at, changed_by }
  await db
    .insertInto('flow_secret')
    .values({ org_id: orgId, name: secret.name, ...values })
    .onConflict(conflict => conflict.columns(['org_id', 'name']).doUpdateSet(values))
    .execute()
}

export async function deleteSecret(db: OrgDb, orgId: string, name: string): Promise<void> {
  await db.deleteFrom('flow_secret').where('org_id', '=', orgId).where('name', '=', name).execute()
}

/** The graphs that may use secrets: each flow's draft and published version. */
export async function listSecretUses(
  db: Db,
  orgId: string,
): Promise<{ flowId: string; name: string; drawn: string[]; published: string[] }[]> {
  const named = '%{{%secret.%'
  const rows = await db
    .selectFrom('flow')
    .leftJoin('flow_version', join =>
      join.onRef('flow_version.flow_id', '=', 'flow.id').onRef('flow_version.version', '=', 'flow.version'),
    )
    .select(['flow.id', 'flow.name', 'flow.graph', 'flow_version.graph as live'])
    .where('flow.org_id', '=', orgId)
    .where('flow.deleted_at', 'is', null)
    .where(({ or, eb }) => or([eb('flow.graph', 'like', named), eb('flow_version.graph', 'like', named)]))
    .orderBy('flow.position')
    .orderBy('flow.id')
    .limit(maxFlows)
    .execute()
  const secretsOf = (graph: string | null) => (graph === null ? [] : secretsIn(readGraph(JSON.parse(graph))))
  return rows.map(({ id, name, graph, live }) => ({
    flowId: id,
    name,
    drawn: secretsOf(graph),
    published: secretsOf(live),
  }))
}
