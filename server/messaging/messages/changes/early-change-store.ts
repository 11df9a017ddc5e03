import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'

type Of<K extends WebhookItem['kind']> = Extract<WebhookItem, { kind: K }>

/** The fields of a status item that change its message, without those that only route it. */
export type StatusEffect = Pick<
  Of<'status'>,
  'kind' | 'wamid' | 'at' | 'status' | 'failure' | 'callback' | 'freeUntil' | 'pricing'
>
/** The author of a change. Absent in rows of an older release. */
interface ByAuthor {
  by?: 'contact' | 'us'
  /** The customer's number or business-scoped id. */
  from?: string
}
export type MessageChange =
  | { kind: 'reaction'; at: string; targetWamid: string; emoji: string | null; by: 'contact' | 'us' }
  | ({ kind: 'edit'; at: string; targetWamid: string; text: string } & ByAuthor)
  | ({ kind: 'revoke'; at: string; targetWamid: string } & ByAuthor)
export type PendingEffect = StatusEffect | MessageChange

/** The wamid of the message that an effect changes. */
const targetOf = (effect: PendingEffect): string => (effect.kind === 'status' ? effect.wamid : effect.targetWamid)

const insert = bulkWrite<{ wamid: string; effect: string }, { orgId: string; now: string }, never>(
  (db, rows, { orgId, now }) =>
    db
      .insertInto('pending_effect')
      .values(rows.map(row => ({ org_id: orgId, wamid: row.wamid, effect: row.effect, received_at: now }))) as never,
)

/** Meta retries a webhook for at most a week. An effect without a message after that time never gets one. */
const keptMs = 8 * 24 * 60 * 60 * 1000

/** Stores effects until their message arrives. Also deletes those of all organizations that waited too long. */
export async function keepEffects(
  db: OrgDb,
  orgId: string,
  effects: readonly PendingEffect[],
  now: Date,
): Promise<void> {
  if (!effects.length) return
  await db
    .deleteFrom('pending_effect')
    .where('received_at', '<', new Date(now.getTime() - keptMs).toISOString())
    .execute()
  const rows = effects.map(effect => ({ wamid: targetOf(effect), effect: JSON.stringify(effect) }))
  await insert(db, rows, { orgId, now: now.toISOString() })
}

const find = lookupQuery<{ orgId: string }, { seq: number; effect: string }>((db, wamids, { orgId }) =>
  db.selectFrom('pending_effect').select(['seq', 'effect']).where('org_id', '=', orgId).where('wamid', 'in', wamids),
)

/** The latest status received for an unknown message. Undefined: none. */
export async function findEarlyStatus(db: Db, orgId: string, wamid: string): Promise<StatusEffect | undefined> {
  const rows = await find(db, [wamid], { orgId })
  const effects = rows.sort((a, b) => a.seq - b.seq).map(row => JSON.parse(row.effect) as PendingEffect)
  return effects.findLast(effect => effect.kind === 'status')
}

const forget = bulkWrite<{ seq: number }, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .deleteFrom('pending_effect')
      .where(belongsTo('pending_effect.org_id', orgId))
      .where(
        'seq',
        'in',
        rows.map(row => row.seq),
      ) as never,
  'lookup',
)

/** Removes and returns the effects stored for these messages, oldest first. */
export async function takeEffects(db: OrgDb, orgId: string, wamids: readonly string[]): Promise<PendingEffect[]> {
  if (!wamids.length) return []
  const rows = await find(db, wamids, { orgId })
  if (!rows.length) return []
  await forget(db, rows, { orgId })
  return rows.sort((a, b) => a.seq - b.seq).map(row => JSON.parse(row.effect) as PendingEffect)
}
