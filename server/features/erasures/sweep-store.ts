import { type SqlBool, sql } from 'kysely'
import { belongsTo } from '#server/platform/db/bulk.ts'
import { bytesIn } from '#server/platform/db/bytes-in.ts'
import type { Database, Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** A table that may name the person, and how to walk through it. */
export interface SweptTable {
  readonly name: keyof Database
  /** The ordering column. */
  readonly key: string
  /** Each organization has its own order. */
  readonly isByOrg?: true
  /** The columns that may name them. */
  readonly texts: readonly string[]
  /** Values to overwrite. Absent: the row is deleted. */
  readonly blank?: Readonly<Record<string, string | null>>
  readonly only?: string
}

/** A live event keeps its number, because gaps are not allowed, but has no content and no audience. */
const silentEvent = { type: 'organization', data: '{}', number: null, conversation_id: null, audience: '[]' }

export const sweptTables: readonly SweptTable[] = [
  { name: 'event', key: 'seq', isByOrg: true, texts: ['data', 'number', 'conversation_id'], blank: silentEvent },
  {
    name: 'notification',
    key: 'id',
    texts: ['conversation_id', 'redirect', 'words', 'old_title', 'old_message'],
  },
  { name: 'untaken_item', key: 'seq', texts: ['item'] },
  { name: 'pending_effect', key: 'seq', texts: ['effect'] },
  { name: 'idempotency', key: 'created_at', texts: ['body', 'key'], only: 'status is not null' },
  { name: 'history_entry', key: 'id', texts: ['title', 'summary', 'search_text', 'payload'] },
  // Without its file an import ends.
  { name: 'contact_import', key: 'id', texts: ['request'], blank: { request: null } },
  // Of one whose contact is not known yet. Without what was found it cannot begin.
  {
    name: 'chat_import',
    key: 'id',
    texts: ['file_name', 'mapping', 'found', 'refused'],
    blank: { file_name: null, mapping: '{}', found: null, refused: '{"count":0,"first":[]}' },
  },
  { name: 'audience_segment', key: 'id', texts: ['label', 'filter'] },
  { name: 'bulk_draft', key: 'id', texts: ['people', 'steps'] },
  { name: 'webhook_event', key: 'id', texts: ['body'] },
  { name: 'webhook_delivery', key: 'id', texts: ['answer'] },
  { name: 'incoming_call', key: 'id', texts: ['number', 'body', 'outcome'] },
  { name: 'incoming_hook', key: 'id', texts: ['sample'], blank: { sample: null } },
  { name: 'audit_entry', key: 'id', texts: ['subject', 'changes'], blank: { subject: null, changes: null } },
]

const isNumbered = ({ key }: SweptTable) => key === 'seq'

/** Checks the next rows after a key. Returns the last key. Undefined: the end was reached. */
export async function sweep(
  db: OrgDb,
  orgId: string,
  table: SweptTable,
  { place, limit, traces }: { place: string; limit: number; traces: readonly string[] },
): Promise<string | undefined> {
  const { name, key, texts, blank, only, isByOrg } = table
  const after = isNumbered(table) ? Number(place) : place
  const ofOrg = isByOrg ? sql`org_id = ${orgId} and` : sql``
  const { rows } = await sql<{ last: string | number | null }>`select max(place) as last from (
    select ${sql.ref(key)} as place from ${sql.table(name)} where ${ofOrg} ${sql.ref(key)} > ${after}
    order by ${sql.ref(key)} limit ${sql.lit(limit)}) as page`.execute(db)
  const last = rows[0]?.last
  if (last === null || last === undefined) return undefined
  const named = sql.join(
    texts.flatMap(text => traces.map(trace => sql`${sql.ref(text)} like ${`%${trace}%`}`)),
    sql` or `,
  )
  const which = sql`where org_id = ${orgId} and ${sql.ref(key)} > ${after} and ${sql.ref(key)} <= ${last}
    ${only ? sql`and ${sql.raw(only)}` : sql``} and (${named})`
  const sets = Object.entries(blank ?? {}).map(([column, value]) => sql`${sql.ref(column)} = ${value}`)
  await (blank
    ? sql`update ${sql.table(name)} set ${sql.join(sets)} ${which}`
    : sql`delete from ${sql.table(name)} ${which}`
  ).execute(db)
  return String(last)
}

/** Stored answers for repeated calls, of all organizations, in order. */
export const listAnswers = (db: Db, after: string, limit: number) =>
  db
    .selectFrom('idempotency')
    .select(['org_id', 'caller', 'key', 'body', 'created_at'])
    .where('created_at', '>', after)
    .orderBy('created_at')
    .limit(limit)
    .execute()

/** Returns the ids that belong to the person's messages. */
export async function findTheirMessages(
  db: Db,
  orgId: string,
  { ids, conversationIds }: { ids: readonly string[]; conversationIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (!ids.length || !conversationIds.length) return new Set()
  const rows = await db
    .selectFrom('message')
    .select('id')
    .where('id', 'in', ids)
    .where('conversation_id', 'in', conversationIds)
    .where(belongsTo('message.org_id', orgId))
    .execute()
  return new Set(rows.map(({ id }) => id))
}

export async function deleteAnswer(
  db: OrgDb,
  orgId: string,
  { caller, key }: { caller: string; key: string },
): Promise<void> {
  await db
    .deleteFrom('idempotency')
    .where('org_id', '=', orgId)
    .where('caller', '=', caller)
    .where('key', '=', key)
    .execute()
}

/** Our numbers, including disconnected ones. */
export const listConnections = (db: Db, orgId: string): Promise<{ id: string; phone_number_id: string }[]> =>
  db.selectFrom('wa_connection').select(['id', 'phone_number_id']).where('org_id', '=', orgId).execute()

/**
 * Removes the person from the webhook journal, which has no organization. Applied webhooks of these numbers that name
 * the person are deleted as a whole.
 */
export async function sweepJournal(
  db: OrgDb,
  {
    place,
    limit,
    traces,
    connections,
  }: {
    place: string
    limit: number
    traces: readonly string[]
    connections: readonly { id: string; phone_number_id: string }[]
  },
): Promise<string | undefined> {
  const page = await db
    .selectFrom('webhook_journal')
    .select('seq')
    .where('seq', '>', Number(place))
    .orderBy('seq')
    .limit(limit)
    .execute()
  const last = page.at(-1)?.seq
  if (last === undefined) return undefined
  if (!connections.length) return String(last)
  const has = (texts: readonly string[]) =>
    sql.join(
      texts.map(text => bytesIn(db, 'raw', Buffer.from(text))),
      sql` or `,
    )
  const ids = connections.map(({ id }) => id)
  const isOurs = sql<SqlBool>`(connection_id in (${sql.join(ids)}) or (connection_id is null
    and (${has(connections.map(({ phone_number_id }) => phone_number_id))})))`
  await db
    .deleteFrom('webhook_journal')
    .where('seq', '>', Number(place))
    .where('seq', '<=', last)
    .where('state', '<>', 0)
    .where(isOurs)
    .where(sql<SqlBool>`(${has(traces)})`)
    .execute()
  return String(last)
}

/** Deletes the simulator's data of a customer in batches. Returns the number of messages. */
export async function forgetSimulated(
  db: OrgDb,
  orgId: string,
  { phones, userIds, limit }: { phones: readonly string[]; userIds: readonly string[]; limit: number },
): Promise<number> {
  if (phones.length) {
    const rows = await db
      .selectFrom('sandbox_message')
      .select(['seq', 'body'])
      .where('org_id', '=', orgId)
      .where('wa_id', 'in', phones)
      .limit(limit)
      .execute()
    const files = rows.flatMap(({ body }) => [...body.matchAll(/"id":"(\d+)"/g)].map(found => found[1] as string))
    if (files.length)
      await db.deleteFrom('sandbox_media').where('org_id', '=', orgId).where('id', 'in', files).execute()
    const seqs = rows.map(({ seq }) => seq)
    if (seqs.length) await db.deleteFrom('sandbox_message').where('seq', 'in', seqs).execute()
    if (rows.length === limit) return limit
  }
  for (const [column, values] of [
    ['wa_id', phones],
    ['bsuid', userIds],
  ] as const)
    if (values.length)
      await db.deleteFrom('sandbox_customer').where('org_id', '=', orgId).where(column, 'in', values).execute()
  return 0
}
