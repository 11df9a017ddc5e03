import { sql } from 'kysely'
import {
  type BlockReason,
  type BulkSendState,
  type PlanInput,
  type RecipientState,
  recipientStates,
} from '#shared/bulk-sends.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import type { FrozenTemplate } from '../templates/freezing.ts'
import type { BulkSendTable } from './table.ts'

export type Counts = Readonly<Record<RecipientState, number>>

/** Whom it goes to, for people who read the report. */
export interface AudienceSummary {
  readonly tags: readonly string[]
  readonly match: 'any' | 'all' | null
  readonly hasNumbers: boolean
  readonly hasFile: boolean
}

export interface StoredSend {
  readonly id: string
  readonly orgId: string
  readonly connectionId: string
  readonly templateId: string
  readonly template: FrozenTemplate
  readonly audience: AudienceSummary
  readonly startIfPlanned: number | null
  readonly state: BulkSendState
  readonly reason: BlockReason | null
  readonly creatorId: string
  readonly authorId: string
  readonly authorName: string
  readonly createdAt: string
  readonly startsAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly announcedAt: string | null
  readonly counts: Counts
}

const columns = [
  'id',
  'org_id',
  'connection_id',
  'template_id',
  'template',
  'audience',
  'start_if_planned',
  'state',
  'reason',
  'creator_id',
  'author_id',
  'author_name',
  'created_at',
  'starts_at',
  'started_at',
  'ended_at',
  'announced_at',
  ...recipientStates,
] as const

const toSend = (row: Omit<BulkSendTable, 'request' | RecipientState> & Counts): StoredSend => ({
  id: row.id,
  orgId: row.org_id,
  connectionId: row.connection_id,
  templateId: row.template_id,
  template: JSON.parse(row.template),
  audience: JSON.parse(row.audience),
  startIfPlanned: row.start_if_planned,
  state: row.state,
  reason: row.reason,
  creatorId: row.creator_id,
  authorId: row.author_id,
  authorName: row.author_name,
  createdAt: row.created_at,
  startsAt: row.starts_at,
  startedAt: row.started_at,
  endedAt: row.ended_at,
  announcedAt: row.announced_at,
  counts: Object.fromEntries(recipientStates.map(state => [state, row[state]])) as Counts,
})

export async function insertSend(
  db: OrgDb,
  orgId: string,
  send: Omit<StoredSend, 'orgId' | 'counts' | 'reason' | 'startedAt' | 'endedAt' | 'announcedAt'>,
  request: PlanInput,
): Promise<void> {
  await db
    .insertInto('bulk_send')
    .values({
      id: send.id,
      org_id: orgId,
      connection_id: send.connectionId,
      template_id: send.templateId,
      template: JSON.stringify(send.template),
      request: JSON.stringify(request),
      audience: JSON.stringify(send.audience),
      start_if_planned: send.startIfPlanned,
      state: send.state,
      creator_id: send.creatorId,
      author_id: send.authorId,
      author_name: send.authorName,
      created_at: send.createdAt,
      starts_at: send.startsAt,
    })
    .execute()
}

export async function findSend(db: Db, orgId: string, id: string): Promise<StoredSend | undefined> {
  const row = await db
    .selectFrom('bulk_send')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toSend(row)
}

/** What was asked for; undefined once its recipients are written. */
export async function findRequest(db: Db, orgId: string, id: string): Promise<PlanInput | undefined> {
  const row = await db
    .selectFrom('bulk_send')
    .select('request')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.request ? JSON.parse(row.request) : undefined
}

/** Newest first; `creatorId`: only those somebody made. */
export async function listSends(
  db: Db,
  orgId: string,
  { creatorId, offset, limit }: { creatorId: string | undefined; offset: number; limit: number },
): Promise<StoredSend[]> {
  let query = db.selectFrom('bulk_send').select(columns).where('org_id', '=', orgId)
  if (creatorId !== undefined) query = query.where('creator_id', '=', creatorId)
  const rows = await query.orderBy('id', 'desc').offset(offset).limit(limit).execute()
  return rows.map(toSend)
}

export interface SendChange {
  readonly state?: BulkSendState
  readonly reason?: BlockReason | null
  readonly startsAt?: string | null
  readonly startedAt?: string
  readonly endedAt?: string
  readonly announcedAt?: string
  /** What was asked for is not needed any more. */
  readonly isWritten?: boolean
}

export async function changeSend(db: OrgDb, orgId: string, id: string, change: SendChange): Promise<void> {
  await db
    .updateTable('bulk_send')
    .set({
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.reason === undefined ? {} : { reason: change.reason }),
      ...(change.startsAt === undefined ? {} : { starts_at: change.startsAt }),
      ...(change.startedAt === undefined ? {} : { started_at: change.startedAt }),
      ...(change.endedAt === undefined ? {} : { ended_at: change.endedAt }),
      ...(change.announcedAt === undefined ? {} : { announced_at: change.announcedAt }),
      ...(change.isWritten ? { request: null } : {}),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Moves so many people from one count to another. */
export async function addToCounts(
  db: OrgDb,
  orgId: string,
  id: string,
  deltas: Readonly<Partial<Record<RecipientState, number>>>,
): Promise<void> {
  const changed = recipientStates.filter(state => deltas[state])
  if (!changed.length) return
  await db
    .updateTable('bulk_send')
    .set(Object.fromEntries(changed.map(state => [state, sql`${sql.ref(state)} + ${deltas[state]}`])))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}
