import type { ConnectionStatus } from '#shared/numbers.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import type { WaConnectionTable } from './table.ts'

/** A connection as it lies in the database: secrets sealed. */
export interface StoredConnection {
  id: string
  orgId: string
  kind: 'cloud' | 'sandbox'
  phoneNumberId: string
  wabaId: string
  phone: string
  verifiedName: string | null
  sealed: SealedKeys
  status: ConnectionStatus
  statusReason: string | null
  lastWebhookAt: string | null
  createdAt: string
  updatedAt: string
}

export interface SealedKeys {
  accessToken: string
  appSecret: string
  verifyToken: string
}

const toConnection = (row: WaConnectionTable): StoredConnection => ({
  id: row.id,
  orgId: row.org_id,
  kind: row.kind,
  phoneNumberId: row.phone_number_id,
  wabaId: row.waba_id,
  phone: row.phone,
  verifiedName: row.verified_name,
  sealed: {
    accessToken: row.access_token_sealed,
    appSecret: row.app_secret_sealed,
    verifyToken: row.verify_token_sealed,
  },
  status: row.status,
  statusReason: row.status_reason,
  lastWebhookAt: row.last_webhook_at,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

const connections = (db: Db) => db.selectFrom('wa_connection').selectAll()

export async function findConnection(db: Db, orgId: string): Promise<StoredConnection | undefined> {
  const row = await connections(db).where('org_id', '=', orgId).executeTakeFirst()
  return row && toConnection(row)
}

/** By what a webhook names; which organization it is comes out of it, so none goes in. */
export type ConnectionKey = { id: string } | { phoneNumberId: string } | { wabaId: string }

export async function findConnectionBy(db: Db, key: ConnectionKey): Promise<StoredConnection | undefined> {
  const query = connections(db).orderBy('created_at').limit(1)
  const row = await ('id' in key
    ? query.where('id', '=', key.id)
    : 'phoneNumberId' in key
      ? query.where('phone_number_id', '=', key.phoneNumberId)
      : query.where('waba_id', '=', key.wabaId)
  ).executeTakeFirst()
  return row && toConnection(row)
}

/** Whether any organization has a connection, and so sealed keys. */
export const hasConnections = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('wa_connection').select('id').limit(1).executeTakeFirst()) !== undefined

/** Writes the organization's one connection, new or over the old. */
export async function putConnection(
  db: OrgDb,
  orgId: string,
  connection: Omit<StoredConnection, 'orgId' | 'lastWebhookAt'>,
): Promise<void> {
  const values = {
    kind: connection.kind,
    phone_number_id: connection.phoneNumberId,
    waba_id: connection.wabaId,
    phone: connection.phone,
    verified_name: connection.verifiedName,
    access_token_sealed: connection.sealed.accessToken,
    app_secret_sealed: connection.sealed.appSecret,
    verify_token_sealed: connection.sealed.verifyToken,
    status: connection.status,
    status_reason: connection.statusReason,
    updated_at: connection.updatedAt,
  }
  await db
    .insertInto('wa_connection')
    .values({ id: connection.id, org_id: orgId, created_at: connection.createdAt, ...values })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(values))
    .execute()
}

/** Answers whether there was one. */
export async function deleteConnection(db: OrgDb, orgId: string): Promise<boolean> {
  const result = await db.deleteFrom('wa_connection').where('org_id', '=', orgId).executeTakeFirst()
  return result.numDeletedRows > 0n
}

/** Answers whether something changed; `updated_at` stays, the secrets are the same. */
export async function setConnectionStatus(
  db: OrgDb,
  orgId: string,
  status: ConnectionStatus,
  reason: string | null,
): Promise<boolean> {
  const result = await db
    .updateTable('wa_connection')
    .set({ status, status_reason: reason })
    .where('org_id', '=', orgId)
    .where('status', '!=', status)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** By the connection's own id: the journal does not know organizations. */
export async function touchConnection(db: Db, id: string, at: string): Promise<void> {
  await db.updateTable('wa_connection').set({ last_webhook_at: at }).where('id', '=', id).execute()
}
