import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ConnectionStatus } from '#shared/numbers/api.ts'
import type { WaConnectionTable } from './table.ts'

/** A connection's row, with its secrets encrypted. */
export interface StoredConnection {
  id: string
  orgId: string
  kind: 'cloud' | 'sandbox'
  phoneNumberId: string
  wabaId: string
  phone: string
  verifiedName: string | null
  /** The organization's own name for it; null: its phone number is shown. */
  label: string | null
  sealed: EncryptedKeys
  status: ConnectionStatus
  statusReason: string | null
  lastWebhookAt: string | null
  createdAt: string
  updatedAt: string
  /** Null: connected. */
  disconnectedAt: string | null
}

export interface EncryptedKeys {
  accessToken: string
  appSecret: string
  verifyToken: string
}

const toConnection = (row: Selectable<WaConnectionTable>): StoredConnection => ({
  id: row.id,
  orgId: row.org_id,
  kind: row.kind,
  phoneNumberId: row.phone_number_id,
  wabaId: row.waba_id,
  phone: row.phone,
  verifiedName: row.verified_name,
  label: row.label,
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
  disconnectedAt: row.disconnected_at,
})

const connections = (db: Db) => db.selectFrom('wa_connection').selectAll()

/** Connected numbers, the first one first. */
export async function listConnections(db: Db, orgId: string): Promise<StoredConnection[]> {
  const rows = await connections(db)
    .where('org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .orderBy('place')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toConnection)
}

const connected = hotQuery((db, p: { orgId: string; id: string }) =>
  connections(db).where('id', '=', p.id).where('org_id', '=', p.orgId).where('disconnected_at', 'is', null),
)

const firstConnected = hotQuery((db, p: { orgId: string }) =>
  connections(db)
    .where('org_id', '=', p.orgId)
    .where('disconnected_at', 'is', null)
    .orderBy('place')
    .orderBy('created_at')
    .orderBy('id')
    .limit(1),
)

/** A connected number, by id or the first one. */
export async function findConnection(db: Db, orgId: string, id?: string): Promise<StoredConnection | undefined> {
  const [row] = await (id === undefined ? firstConnected(db, { orgId }) : connected(db, { orgId, id }))
  return row && toConnection(row)
}

/**
 * The row that a number has in this organization, connected or disconnected. Rows of real numbers disconnected by old
 * versions have no number; the first number connected takes over such a row and its conversations.
 */
export async function findFormerConnection(
  db: Db,
  orgId: string,
  number: { kind: 'cloud' | 'sandbox'; phoneNumberId: string },
): Promise<StoredConnection | undefined> {
  const query = connections(db).where('org_id', '=', orgId).where('kind', '=', number.kind).limit(1)
  // The simulator has one number per organization.
  const row = await (number.kind === 'sandbox'
    ? query
    : query.where('phone_number_id', 'in', [number.phoneNumberId, '']).orderBy('phone_number_id', 'desc')
  ).executeTakeFirst()
  return row && toConnection(row)
}

/** Looked up by what a webhook names, across organizations: the result says which. */
export type ConnectionKey = { id: string } | { phoneNumberId: string } | { wabaId: string }

export async function findConnectionBy(db: Db, key: ConnectionKey): Promise<StoredConnection | undefined> {
  const query = connections(db).where('disconnected_at', 'is', null).orderBy('place').orderBy('created_at').limit(1)
  const row = await ('id' in key
    ? query.where('id', '=', key.id)
    : 'phoneNumberId' in key
      ? query.where('phone_number_id', '=', key.phoneNumberId)
      : query.where('waba_id', '=', key.wabaId)
  ).executeTakeFirst()
  return row && toConnection(row)
}

/** True if any organization has a connection, and so encrypted secrets. */
export const hasConnections = async (db: Db): Promise<boolean> =>
  (await db
    .selectFrom('wa_connection')
    .select('id')
    .where('disconnected_at', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined

/** Inserts a connected number as the last one, or updates its row, which keeps its place. */
export async function putConnection(
  db: OrgDb,
  orgId: string,
  connection: Omit<StoredConnection, 'orgId' | 'label' | 'lastWebhookAt' | 'disconnectedAt'>,
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
    disconnected_at: null,
  }
  await db
    .insertInto('wa_connection')
    .values(eb => ({
      id: connection.id,
      org_id: orgId,
      created_at: connection.createdAt,
      place: eb
        .selectFrom('wa_connection as other')
        .where('other.org_id', '=', orgId)
        .select(({ fn, val }) => fn.coalesce(eb(fn.max('other.place'), '+', 1), val(0)).as('next')),
      ...values,
    }))
    .onConflict(conflict => conflict.column('id').doUpdateSet(values))
    .execute()
}

/**
 * Disconnects a number: deletes its secrets, keeps the row for its conversations. A number that never received anything
 * is deleted.
 */
export async function releaseConnection(db: OrgDb, orgId: string, id: string, at: string): Promise<void> {
  const own = { org_id: orgId, id }
  await db
    .deleteFrom('wa_connection')
    .where(eb => eb.and(own))
    .where('last_webhook_at', 'is', null)
    .where(eb =>
      eb.not(
        eb.exists(
          eb.selectFrom('conversation').select('conversation.id').whereRef('connection_id', '=', 'wa_connection.id'),
        ),
      ),
    )
    .execute()
  await db
    .updateTable('wa_connection')
    .set({
      access_token_sealed: '',
      app_secret_sealed: '',
      verify_token_sealed: '',
      status: 'connected',
      status_reason: null,
      updated_at: at,
      disconnected_at: at,
    })
    .where(eb => eb.and(own))
    .execute()
}

/**
 * Updates which numbers the inbox shows after one was connected (`kind`) or disconnected, and whether conversations
 * show their number: they do if the organization has or had more than one real one.
 */
export async function updateListedNumbers(db: OrgDb, orgId: string, kind?: 'cloud' | 'sandbox'): Promise<void> {
  if (kind !== undefined)
    await db
      .updateTable('wa_connection')
      .set(eb => ({ is_listed: eb.case().when('kind', '=', kind).then(1).else(0).end() }))
      .where('org_id', '=', orgId)
      .execute()
  const { count } = await db
    .selectFrom('wa_connection')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('org_id', '=', orgId)
    .where('kind', '=', 'cloud')
    .executeTakeFirstOrThrow()
  await db
    .updateTable('wa_connection')
    .set(eb => ({ shown_phone: count > 1 ? eb.ref('phone') : null }))
    .where('org_id', '=', orgId)
    .where('kind', '=', 'cloud')
    .execute()
}

/** `updated_at` stays, because the secrets do. */
export async function setPlaces(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  for (const [place, id] of ids.entries())
    await db.updateTable('wa_connection').set({ place }).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** `updated_at` stays, because the secrets do. */
export async function setLabel(db: OrgDb, orgId: string, id: string, label: string | null): Promise<void> {
  await db.updateTable('wa_connection').set({ label }).where('org_id', '=', orgId).where('id', '=', id).execute()
}

/** Column value for no limit. */
const noEnd = -1

/** Stores the limit of one number, or of all numbers of an account. `updated_at` stays, because the secrets do. */
export async function setMessagingLimit(
  db: OrgDb,
  orgId: string,
  which: { id: string } | { wabaId: string },
  limit: number,
): Promise<void> {
  const query = db
    .updateTable('wa_connection')
    .set({ messaging_limit: Number.isFinite(limit) ? limit : noEnd })
    .where('org_id', '=', orgId)
  await ('id' in which ? query.where('id', '=', which.id) : query.where('waba_id', '=', which.wabaId)).execute()
}

/** The name that WhatsApp shows customers. `updated_at` stays, because the secrets do. */
export async function setVerifiedName(db: OrgDb, orgId: string, id: string, verifiedName: string): Promise<void> {
  await db
    .updateTable('wa_connection')
    .set({ verified_name: verifiedName })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** False: nothing changed. `updated_at` stays, because the secrets do. */
export async function setConnectionStatus(
  db: OrgDb,
  orgId: string,
  id: string,
  status: ConnectionStatus,
  reason: string | null,
): Promise<boolean> {
  const result = await db
    .updateTable('wa_connection')
    .set({ status, status_reason: reason })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('disconnected_at', 'is', null)
    .where('status', '!=', status)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** The numbers shown at conversations, connected or not; empty if there is only one. */
export const listShownNumbers = async (db: Db, orgId: string) =>
  db
    .selectFrom('wa_connection')
    .select(['id', 'phone', 'label', 'verified_name', 'status', 'disconnected_at'])
    .where('org_id', '=', orgId)
    .where('is_listed', '=', 1)
    .where('shown_phone', 'is not', null)
    .orderBy('place')
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** Notes the time of a webhook. It takes the connection's own id, because the webhook journal has no organization. */
export async function touchConnection(db: Db, id: string, at: string): Promise<void> {
  await db.updateTable('wa_connection').set({ last_webhook_at: at }).where('id', '=', id).execute()
}
