import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { bsuidCountry } from '#server/whatsapp/serving/address.ts'
import { newBsuid } from '../ids.ts'
import type { SandboxCustomerTable } from '../table.ts'

/** A simulated customer with a phone. */
export interface Customer {
  waId: string
  bsuid: string
  name: string
  /** If set, the number is hidden and the business-scoped id is used. */
  username: string | null
  isOnline: boolean
  blocksUs: boolean
  isBlockedByUs: boolean
  /** Null: follows the simulator's `autoRead`. */
  reads: boolean | null
  windowFromMs: number | null
  adAtMs: number | null
  entryUntilMs: number | null
  typingUntilMs: number | null
  /** Meta's agent has the chat: its messages come as `standby`. */
  isWithAgent: boolean
}

const toCustomer = (row: Selectable<SandboxCustomerTable>): Customer => ({
  waId: row.wa_id,
  bsuid: row.bsuid,
  name: row.name,
  username: row.username,
  isOnline: row.online === 1,
  blocksUs: row.blocks_us === 1,
  isBlockedByUs: row.blocked_by_us === 1,
  reads: row.reads === null ? null : row.reads === 1,
  windowFromMs: row.window_from_ms,
  adAtMs: row.ad_at_ms,
  entryUntilMs: row.entry_until_ms,
  typingUntilMs: row.typing_until_ms,
  isWithAgent: row.with_agent === 1,
})

const table = (db: Db, orgId: string) => db.selectFrom('sandbox_customer').selectAll().where('org_id', '=', orgId)

export async function findCustomer(db: Db, orgId: string, waId: string): Promise<Customer | undefined> {
  const row = await table(db, orgId).where('wa_id', '=', waId).executeTakeFirst()
  return row && toCustomer(row)
}

export async function findCustomerByBsuid(db: Db, orgId: string, bsuid: string): Promise<Customer | undefined> {
  const row = await table(db, orgId).where('bsuid', '=', bsuid).executeTakeFirst()
  return row && toCustomer(row)
}

export async function listCustomersByWaId(db: Db, orgId: string, waIds: readonly string[]): Promise<Customer[]> {
  if (!waIds.length) return []
  return (await table(db, orgId).where('wa_id', 'in', waIds).execute()).map(toCustomer)
}

/** Last seen first. */
export async function listCustomers(db: Db, orgId: string, limit: number): Promise<Customer[]> {
  return (await table(db, orgId).orderBy('seen_ms', 'desc').limit(limit).execute()).map(toCustomer)
}

export async function listBlocked(db: Db, orgId: string, page: { after: string; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('sandbox_customer')
    .select('wa_id')
    .where('org_id', '=', orgId)
    .where('blocked_by_us', '=', 1)
    .where('wa_id', '>', page.after)
    .orderBy('wa_id')
    .limit(page.limit)
    .execute()
  return rows.map(row => row.wa_id)
}

/** The customer with this number, inserted if missing; the number serves as the name until one is set. */
export async function ensureCustomer(db: Db, orgId: string, waId: string, nowMs: number): Promise<Customer> {
  const known = await findCustomer(db, orgId, waId)
  if (known) return known
  const bsuid = newBsuid(bsuidCountry(waId))
  await db
    .insertInto('sandbox_customer')
    .values({
      org_id: orgId,
      wa_id: waId,
      bsuid,
      name: `+${waId}`,
      username: null,
      online: 1,
      blocks_us: 0,
      blocked_by_us: 0,
      reads: null,
      window_from_ms: null,
      ad_at_ms: null,
      entry_until_ms: null,
      typing_until_ms: null,
      seen_ms: nowMs,
    })
    .execute()
  return {
    waId,
    bsuid,
    name: `+${waId}`,
    username: null,
    isOnline: true,
    blocksUs: false,
    isBlockedByUs: false,
    reads: null,
    windowFromMs: null,
    adAtMs: null,
    entryUntilMs: null,
    typingUntilMs: null,
    isWithAgent: false,
  }
}

const flag = (value: boolean) => (value ? 1 : 0)

/** Undefined leaves a field as it is. */
type CustomerChange = Partial<Omit<Customer, 'waId' | 'bsuid'>> & { seenMs?: number }

export async function updateCustomer(db: Db, orgId: string, waId: string, change: CustomerChange): Promise<void> {
  const columns = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.username === undefined ? {} : { username: change.username }),
    ...(change.isOnline === undefined ? {} : { online: flag(change.isOnline) }),
    ...(change.blocksUs === undefined ? {} : { blocks_us: flag(change.blocksUs) }),
    ...(change.isBlockedByUs === undefined ? {} : { blocked_by_us: flag(change.isBlockedByUs) }),
    ...(change.reads === undefined ? {} : { reads: change.reads === null ? null : flag(change.reads) }),
    ...(change.windowFromMs === undefined ? {} : { window_from_ms: change.windowFromMs }),
    ...(change.adAtMs === undefined ? {} : { ad_at_ms: change.adAtMs }),
    ...(change.entryUntilMs === undefined ? {} : { entry_until_ms: change.entryUntilMs }),
    ...(change.typingUntilMs === undefined ? {} : { typing_until_ms: change.typingUntilMs }),
    ...(change.isWithAgent === undefined ? {} : { with_agent: flag(change.isWithAgent) }),
    ...(change.seenMs === undefined ? {} : { seen_ms: change.seenMs }),
  }
  if (!Object.keys(columns).length) return
  await db.updateTable('sandbox_customer').set(columns).where('org_id', '=', orgId).where('wa_id', '=', waId).execute()
}
