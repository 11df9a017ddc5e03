import { sql } from 'kysely'
import { belongsTo, hotWrite } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import type { BulkSendCare } from '#shared/bulk-sends/care.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import {
  type BlockReason,
  type BulkSendState,
  type RecipientState,
  recipientStates,
} from '#shared/bulk-sends/states.ts'
import { recipeOf } from './drafts/recipe.ts'
import { deleteTexts, insertTexts, withLongTexts, withoutLongTexts } from './planning/text-store.ts'
import type { PeopleTags } from './rights/people-tags.ts'
import { type AudienceSummary, type Judged, type SendRow, type StoredSend, sendColumns, toSend } from './stored-send.ts'

export type NewSend = Omit<
  StoredSend,
  | 'orgId'
  | 'counts'
  | 'reason'
  | 'startedAt'
  | 'endedAt'
  | 'announcedAt'
  | 'optedOut'
  | 'cost'
  | 'isTest'
  | 'peopleTags'
  | 'isShared'
  | 'waitsUntil'
  | 'held'
  | 'judgedFrom'
  | 'approval'
>

export async function insertSend(
  db: OrgDb,
  orgId: string,
  send: NewSend,
  { asked, turn }: { asked: PlanInput; turn: LoopTurn },
): Promise<void> {
  const { request, texts } = withoutLongTexts(asked)
  await db
    .insertInto('bulk_send')
    .values({
      id: send.id,
      org_id: orgId,
      connection_id: send.connectionId,
      template_id: send.templateId,
      template: JSON.stringify(send.template),
      name: send.name,
      request: JSON.stringify(request),
      recipe: JSON.stringify(recipeOf(request, send.id)),
      audience: JSON.stringify(send.audience),
      start_if_planned: send.startIfPlanned,
      state: send.state,
      creator_id: send.creatorId,
      author_id: send.authorId,
      author_name: send.authorName,
      created_at: send.createdAt,
      starts_at: send.startsAt,
      care: JSON.stringify(send.care),
    })
    .execute()
  await insertTexts(db, orgId, send.id, { texts, turn })
}

/** A send to its creator's own number. Its one recipient is written too. */
export async function insertTest(
  db: OrgDb,
  orgId: string,
  send: Omit<NewSend, 'audience' | 'care' | 'startIfPlanned' | 'state' | 'startsAt'>,
): Promise<void> {
  const audience: AudienceSummary = {
    tags: [],
    match: null,
    hasNumbers: true,
    hasFile: false,
    segment: null,
    unansweredOf: null,
    againOf: null,
  }
  await db
    .insertInto('bulk_send')
    .values({
      id: send.id,
      org_id: orgId,
      connection_id: send.connectionId,
      template_id: send.templateId,
      template: JSON.stringify(send.template),
      name: send.name,
      audience: JSON.stringify(audience),
      state: 'ready',
      creator_id: send.creatorId,
      author_id: send.authorId,
      author_name: send.authorName,
      created_at: send.createdAt,
      is_test: 1,
    })
    .execute()
}

/** Queried at each hand-over and each group of outcomes. */
const selectSend = hotQuery<{ orgId: string; id: string }, SendRow>((db, p) =>
  db.selectFrom('bulk_send').select(sendColumns).where('org_id', '=', p.orgId).where('id', '=', p.id),
)

export async function findSend(db: Db, orgId: string, id: string): Promise<StoredSend | undefined> {
  const [row] = await selectSend(db, { orgId, id })
  return row && toSend(row)
}

export async function findSends(db: Db, orgId: string, ids: readonly string[]): Promise<StoredSend[]> {
  if (!ids.length) return []
  const rows = await db
    .selectFrom('bulk_send')
    .select(sendColumns)
    .where(belongsTo('bulk_send.org_id', orgId))
    .where('id', 'in', ids)
    .execute()
  return rows.map(toSend)
}

/** The request. Undefined after its recipients are written. */
export async function findRequest(db: Db, orgId: string, id: string): Promise<PlanInput | undefined> {
  const row = await db
    .selectFrom('bulk_send')
    .select('request')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.request ? withLongTexts(db, orgId, id, JSON.parse(row.request)) : undefined
}

/** Planned recipients of each running send of a number. */
export async function listPlannedOfRunning(db: Db, orgId: string, connectionId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('bulk_send')
    .select('planned')
    .where('connection_id', '=', connectionId)
    .where('state', '=', 'running')
    .where(belongsTo('bulk_send.org_id', orgId))
    .execute()
  return rows.map(({ planned }) => planned)
}

export interface SendChange {
  readonly state?: BulkSendState
  readonly reason?: BlockReason | null
  readonly startsAt?: string | null
  readonly care?: BulkSendCare
  readonly startedAt?: string
  readonly endedAt?: string | null
  readonly announcedAt?: string
  readonly waitsUntil?: string
  readonly judgedFrom?: Judged
  readonly held?: StoredSend['held']
  readonly cost?: StoredSend['cost']
  readonly approval?: StoredSend['approval']
  readonly peopleTags?: PeopleTags
  readonly isShared?: boolean
  /** The request is no longer needed. */
  readonly isWritten?: boolean
}

export async function changeSend(db: OrgDb, orgId: string, id: string, change: SendChange): Promise<void> {
  await db
    .updateTable('bulk_send')
    .set({
      ...(change.state === undefined ? {} : { state: change.state }),
      ...(change.reason === undefined ? {} : { reason: change.reason }),
      ...(change.startsAt === undefined ? {} : { starts_at: change.startsAt }),
      ...(change.care === undefined ? {} : { care: JSON.stringify(change.care) }),
      ...(change.startedAt === undefined ? {} : { started_at: change.startedAt }),
      ...(change.endedAt === undefined ? {} : { ended_at: change.endedAt }),
      ...(change.announcedAt === undefined ? {} : { announced_at: change.announcedAt }),
      ...(change.waitsUntil === undefined ? {} : { waits_until: change.waitsUntil }),
      ...(change.judgedFrom === undefined ? {} : { judged_from: JSON.stringify(change.judgedFrom) }),
      ...(change.held === undefined
        ? {}
        : { held_for: change.held?.why ?? null, held_until: change.held?.until ?? null }),
      ...(change.cost === undefined ? {} : { cost: change.cost && JSON.stringify(change.cost) }),
      ...(change.approval === undefined
        ? {}
        : {
            approval: change.approval?.state ?? null,
            approved_by: change.approval?.by ?? null,
            approved_at: change.approval?.at ?? null,
          }),
      ...(change.peopleTags === undefined
        ? {}
        : { people_tags: change.peopleTags && JSON.stringify(change.peopleTags) }),
      ...(change.isShared === undefined ? {} : { is_shared: change.isShared ? 1 : 0 }),
      ...(change.isWritten ? { request: null } : {}),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
  if (change.isWritten) await deleteTexts(db, orgId, id)
}

type Deltas = Record<RecipientState, number>
const noDeltas = Object.fromEntries(recipientStates.map(state => [state, 0])) as Deltas

const updateCounts = hotWrite<{ orgId: string; id: string } & Deltas>(
  (db, p) =>
    db
      .updateTable('bulk_send')
      .set(Object.fromEntries(recipientStates.map(state => [state, sql`${sql.ref(state)} + ${p[state]}`])))
      .where('org_id', '=', p.orgId)
      .where('id', '=', p.id) as never,
)

/** Moves recipients from one count to another. */
export async function addToCounts(
  db: OrgDb,
  orgId: string,
  id: string,
  deltas: Readonly<Partial<Record<RecipientState, number>>>,
): Promise<void> {
  if (recipientStates.some(state => deltas[state])) await updateCounts(db, { orgId, id, ...noDeltas, ...deltas })
}

/** Adds opt-outs that followed the send. */
export async function addOptedOut(db: OrgDb, orgId: string, id: string, count: number): Promise<void> {
  await db
    .updateTable('bulk_send')
    .set({ opted_out: sql`${sql.ref('opted_out')} + ${count}` })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}
