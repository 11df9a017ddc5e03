import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { SandboxMessageTable } from '../table.ts'

/** A message in the simulator, in either direction. */
export interface SandboxMessage {
  seq: number
  wamid: string
  direction: 'in' | 'out'
  waId: string
  /** The business-scoped id that it was sent to, if not to a number. */
  recipient: string | null
  type: string
  /** The request as JSON, or for incoming messages Meta's format. */
  body: string
  callback: string | null
  status: string
  atMs: number
}

const toMessage = (row: Selectable<SandboxMessageTable>): SandboxMessage => ({
  seq: row.seq,
  wamid: row.wamid,
  direction: row.direction,
  waId: row.wa_id,
  recipient: row.recipient,
  type: row.type,
  body: row.body,
  callback: row.callback,
  status: row.status,
  atMs: row.at_ms,
})

export async function insertMessages(
  db: Db,
  orgId: string,
  messages: readonly Omit<SandboxMessage, 'seq'>[],
): Promise<void> {
  if (!messages.length) return
  await db
    .insertInto('sandbox_message')
    .values(
      messages.map(message => ({
        org_id: orgId,
        wamid: message.wamid,
        direction: message.direction,
        wa_id: message.waId,
        recipient: message.recipient,
        type: message.type,
        body: message.body,
        callback: message.callback,
        status: message.status,
        at_ms: message.atMs,
      })),
    )
    .execute()
}

export async function findMessage(db: Db, orgId: string, wamid: string): Promise<SandboxMessage | undefined> {
  const row = await db
    .selectFrom('sandbox_message')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('wamid', '=', wamid)
    .executeTakeFirst()
  return row && toMessage(row)
}

export async function listMessages(db: Db, orgId: string, wamids: readonly string[]): Promise<SandboxMessage[]> {
  if (!wamids.length) return []
  const rows = await db
    .selectFrom('sandbox_message')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('wamid', 'in', wamids)
    .execute()
  return rows.map(toMessage)
}

/** Types that change another message. */
const effectTypes = ['reaction', 'edit', 'revoke']
/** Statuses from which on a message is on the customer's phone. */
const arrivedStatuses = ['delivered', 'read', 'played']

const ofCustomer = (db: Db, orgId: string, waId: string, direction: 'in' | 'out') =>
  db
    .selectFrom('sandbox_message')
    .where('org_id', '=', orgId)
    .where('wa_id', '=', waId)
    .where('direction', '=', direction)

/** The messages on a customer's phone, newest first: those written there and those delivered. */
export async function listOnPhone(
  db: Db,
  orgId: string,
  waId: string,
  page: { before?: number | undefined; limit: number },
): Promise<SandboxMessage[]> {
  const side = (direction: 'in' | 'out') => {
    let rows = ofCustomer(db, orgId, waId, direction).where('type', 'not in', effectTypes)
    if (direction === 'out') rows = rows.where('status', 'in', arrivedStatuses)
    if (page.before !== undefined) rows = rows.where('seq', '<', page.before)
    return rows.selectAll().orderBy('seq', 'desc').limit(page.limit).execute()
  }
  const rows = (await Promise.all([side('in'), side('out')])).flat()
  return rows
    .sort((a, b) => b.seq - a.seq)
    .slice(0, page.limit)
    .map(toMessage)
}

/** Reactions, edits and removals after a message, oldest first; those of the business once sent. */
export async function listEffects(
  db: Db,
  orgId: string,
  waId: string,
  page: { after: number; limit: number },
): Promise<SandboxMessage[]> {
  const side = (direction: 'in' | 'out') => {
    let rows = ofCustomer(db, orgId, waId, direction).where('type', 'in', effectTypes).where('seq', '>', page.after)
    if (direction === 'out') rows = rows.where('status', 'in', ['sent', ...arrivedStatuses])
    return rows.selectAll().orderBy('seq', 'desc').limit(page.limit).execute()
  }
  const rows = (await Promise.all([side('in'), side('out')])).flat()
  return rows.sort((a, b) => a.seq - b.seq).map(toMessage)
}

/** The last message on each customer's phone, in one statement with one index lookup per customer and direction. */
export async function listLastOnPhones(
  db: Db,
  orgId: string,
  waIds: readonly string[],
): Promise<ReadonlyMap<string, SandboxMessage>> {
  if (!waIds.length) return new Map()
  const lasts = (direction: 'in' | 'out') =>
    db
      .selectFrom('sandbox_customer as c')
      .select(eb => {
        let rows = eb
          .selectFrom('sandbox_message as m')
          .select('m.seq')
          .whereRef('m.org_id', '=', 'c.org_id')
          .whereRef('m.wa_id', '=', 'c.wa_id')
          .where('m.direction', '=', direction)
          .where('m.type', 'not in', effectTypes)
        if (direction === 'out') rows = rows.where('m.status', 'in', arrivedStatuses)
        return rows.orderBy('m.seq', 'desc').limit(1).as('seq')
      })
      .where('c.org_id', '=', orgId)
      .where('c.wa_id', 'in', waIds)
      .execute()
  const seqs = (await Promise.all([lasts('in'), lasts('out')]))
    .flat()
    .flatMap(row => (row.seq === null ? [] : [row.seq]))
  if (!seqs.length) return new Map()
  const rows = await db
    .selectFrom('sandbox_message')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('seq', 'in', seqs)
    .orderBy('seq')
    .execute()
  // The later of both directions overwrites the earlier.
  return new Map(rows.map(row => [row.wa_id, toMessage(row)]))
}

/** The latest `limit` edits and removals after a message by these customers, oldest first. */
export async function listCorrections(
  db: Db,
  orgId: string,
  waIds: readonly string[],
  page: { after: number; limit: number },
): Promise<SandboxMessage[]> {
  if (!waIds.length) return []
  const rows = await db
    .selectFrom('sandbox_message')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('wa_id', 'in', waIds)
    .where('direction', '=', 'in')
    .where('type', 'in', ['edit', 'revoke'])
    .where('seq', '>', page.after)
    .orderBy('seq', 'desc')
    .limit(page.limit)
    .execute()
  return rows.reverse().map(toMessage)
}

/** Messages of the business, newest first, with their total. */
export async function listOutgoing(
  db: Db,
  orgId: string,
  query: { waId?: string; limit: number },
): Promise<{ items: SandboxMessage[]; total: number }> {
  let rows = db.selectFrom('sandbox_message').where('org_id', '=', orgId).where('direction', '=', 'out')
  if (query.waId !== undefined) rows = rows.where('wa_id', '=', query.waId)
  const items = await rows.selectAll().orderBy('seq', 'desc').limit(query.limit).execute()
  const { total } = await rows.select(eb => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
  return { items: items.map(toMessage), total }
}

/** A page of delivered messages of the business from a range of time, oldest first, after the message `after`. */
export async function listDelivered(
  db: Db,
  orgId: string,
  { startMs, endMs, after, limit }: { startMs: number; endMs: number; after: number; limit: number },
): Promise<SandboxMessage[]> {
  const rows = await db
    .selectFrom('sandbox_message')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('direction', '=', 'out')
    .where('seq', '>', after)
    .where('status', 'in', arrivedStatuses)
    .where('type', '<>', 'reaction')
    .where('at_ms', '>=', startMs)
    .where('at_ms', '<', endMs)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toMessage)
}

export async function setStatus(db: Db, orgId: string, wamids: readonly string[], status: string): Promise<void> {
  if (!wamids.length) return
  await db
    .updateTable('sandbox_message')
    .set({ status })
    .where('org_id', '=', orgId)
    .where('wamid', 'in', wamids)
    .execute()
}

/** Marks this customer message and all before it as read by the business. */
export async function markInboundRead(db: Db, orgId: string, upTo: SandboxMessage): Promise<void> {
  await db
    .updateTable('sandbox_message')
    .set({ status: 'read' })
    .where('org_id', '=', orgId)
    .where('wa_id', '=', upTo.waId)
    .where('direction', '=', 'in')
    .where('seq', '<=', upTo.seq)
    .where('status', '=', 'received')
    .execute()
}

/** Meta keeps messages for thirty days. Returns how many were deleted. */
export async function deleteMessagesBefore(db: Db, beforeMs: number, limit: number): Promise<number> {
  const old = db.selectFrom('sandbox_message').select('seq').where('at_ms', '<', beforeMs).limit(limit)
  const result = await db.deleteFrom('sandbox_message').where('seq', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
