import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { sandboxErrors } from '../errors.ts'
import type { SandboxNumberTable } from '../table.ts'
import { type Behaviour, newBehaviour, readBehaviour } from './behaviour.ts'

/** A simulated number with its account and app. */
export interface SandboxNumber {
  orgId: string
  phoneNumberId: string
  wabaId: string
  appId: string
  phone: string
  verifiedName: string
  appSecretSealed: string
  /**
   * The connection whose address gets its webhooks; null: the app's address, or none until the product's connection is
   * known.
   */
  connectionId: string | null
  isSubscribed: boolean
  behaviour: Behaviour
  /** The clock of the number has been moved ahead by this much in total. */
  agedMs: number
  profile: string
}

const toNumber = (row: Selectable<SandboxNumberTable>): SandboxNumber => ({
  orgId: row.org_id,
  phoneNumberId: row.phone_number_id,
  wabaId: row.waba_id,
  appId: row.app_id,
  phone: row.phone,
  verifiedName: row.verified_name,
  appSecretSealed: row.app_secret_sealed,
  connectionId: row.connection_id,
  isSubscribed: row.subscribed === 1,
  behaviour: readBehaviour(row.behaviour),
  agedMs: row.aged_ms,
  profile: row.profile,
})

export async function findNumber(db: Db, orgId: string): Promise<SandboxNumber | undefined> {
  const row = await db.selectFrom('sandbox_number').selectAll().where('org_id', '=', orgId).executeTakeFirst()
  return row && toNumber(row)
}

/** Finds a number by token: like at Meta, this search has no organization. */
export async function findNumberByToken(db: Db, hash: string): Promise<SandboxNumber | undefined> {
  const row = await db.selectFrom('sandbox_number').selectAll().where('token_hash', '=', hash).executeTakeFirst()
  return row && toNumber(row)
}

/** Finds a number by the id of its app, in any organization. */
export async function findNumberByApp(db: Db, appId: string): Promise<SandboxNumber | undefined> {
  const row = await db.selectFrom('sandbox_number').selectAll().where('app_id', '=', appId).executeTakeFirst()
  return row && toNumber(row)
}

/**
 * Only while the product's connection uses the number. A connection that was disconnected, or replaced by a real number
 * with the same id, ends it; asking the connection avoids a second state. A number connected by sign-up counts as real
 * for the product, and its webhooks go to the app's address.
 */
const connected = (db: Db) =>
  db
    .selectFrom('sandbox_number')
    .innerJoin('wa_connection', 'wa_connection.phone_number_id', 'sandbox_number.phone_number_id')
    .whereRef('wa_connection.org_id', '=', 'sandbox_number.org_id')
    .where(eb =>
      eb.or([
        eb.and([eb('wa_connection.kind', '=', 'sandbox'), eb('wa_connection.id', '=', eb.ref('connection_id'))]),
        eb.and([eb('wa_connection.kind', '=', 'cloud'), eb('connection_id', 'is', null)]),
      ]),
    )
    .where('wa_connection.disconnected_at', 'is', null)
    .selectAll('sandbox_number')

export async function findConnectedNumber(db: Db, orgId: string): Promise<SandboxNumber | undefined> {
  const row = await connected(db).where('sandbox_number.org_id', '=', orgId).executeTakeFirst()
  return row && toNumber(row)
}

/** @throws SANDBOX_NOT_CONNECTED */
export async function requireConnectedNumber(db: Db, orgId: string): Promise<SandboxNumber> {
  const number = await findConnectedNumber(db, orgId)
  if (!number) throw sandboxErrors.NOT_CONNECTED()
  return number
}

export async function listConnectedNumbers(db: Db, orgIds: readonly string[]): Promise<Map<string, SandboxNumber>> {
  if (!orgIds.length) return new Map()
  const rows = await connected(db).where('sandbox_number.org_id', 'in', orgIds).execute()
  return new Map(rows.map(row => [row.org_id, toNumber(row)]))
}

/** Stores the code of a sign-up; replaces an earlier one. */
export async function setSignupCode(db: Db, orgId: string, code: { hash: string; ms: number }): Promise<void> {
  await db
    .updateTable('sandbox_number')
    .set({ signup_code_hash: code.hash, signup_code_ms: code.ms })
    .where('org_id', '=', orgId)
    .execute()
}

/**
 * Uses up a code issued since a time, and stores the new token and app secret. Webhooks then go to the app's address.
 * False: the code was used, is too old, or was never issued.
 */
export async function takeSignupCode(
  db: Db,
  orgId: string,
  code: { hash: string; sinceMs: number },
  keys: { tokenHash: string; appSecretSealed: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('sandbox_number')
    .set({
      token_hash: keys.tokenHash,
      app_secret_sealed: keys.appSecretSealed,
      connection_id: null,
      subscribed: 0,
      signup_code_hash: null,
      signup_code_ms: null,
    })
    .where('org_id', '=', orgId)
    .where('signup_code_hash', '=', code.hash)
    .where('signup_code_ms', '>=', code.sinceMs)
    .executeTakeFirst()
  return Number(numUpdatedRows) === 1
}

export async function isPhoneFree(db: Db, phone: string): Promise<boolean> {
  return (
    (await db.selectFrom('sandbox_number').select('org_id').where('phone', '=', phone).executeTakeFirst()) === undefined
  )
}

export async function insertNumber(
  db: Db,
  orgId: string,
  number: {
    phoneNumberId: string
    wabaId: string
    appId: string
    phone: string
    verifiedName: string
    tokenHash: string
    appSecretSealed: string
  },
): Promise<void> {
  await db
    .insertInto('sandbox_number')
    .values({
      org_id: orgId,
      phone_number_id: number.phoneNumberId,
      waba_id: number.wabaId,
      app_id: number.appId,
      phone: number.phone,
      verified_name: number.verifiedName,
      token_hash: number.tokenHash,
      app_secret_sealed: number.appSecretSealed,
      connection_id: null,
      subscribed: 1,
      behaviour: newBehaviour,
      aged_ms: 0,
    })
    .execute()
}

/** Undefined leaves a field as it is. */
export async function updateNumber(
  db: Db,
  orgId: string,
  change: {
    tokenHash?: string
    appSecretSealed?: string
    connectionId?: string
    isSubscribed?: boolean
    behaviour?: string
    verifiedName?: string
    profile?: string
  },
): Promise<void> {
  await db
    .updateTable('sandbox_number')
    .set({
      ...(change.tokenHash === undefined ? {} : { token_hash: change.tokenHash }),
      ...(change.appSecretSealed === undefined ? {} : { app_secret_sealed: change.appSecretSealed }),
      ...(change.connectionId === undefined ? {} : { connection_id: change.connectionId }),
      ...(change.isSubscribed === undefined ? {} : { subscribed: change.isSubscribed ? 1 : 0 }),
      ...(change.behaviour === undefined ? {} : { behaviour: change.behaviour }),
      ...(change.verifiedName === undefined ? {} : { verified_name: change.verifiedName }),
      ...(change.profile === undefined ? {} : { profile: change.profile }),
    })
    .where('org_id', '=', orgId)
    .execute()
}
