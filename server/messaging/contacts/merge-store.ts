import { belongsTo } from '#server/platform/db/bulk.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { united } from '../conversations/united.ts'
import { uniteDrafts } from '../drafts/store.ts'
import { followMerge } from '../outbox/order.ts'
import { uniteValues } from './field-store.ts'

/**
 * A thread of a contact that is no more: ids of the conversation it was, of that contact, and of the conversation that
 * holds it now; the same one where the other contact had none on its number.
 */
export interface Merged {
  gone: string
  goneContact: string
  kept: string
}

/** Who wanted no marketing, or was blocked, as either of them is so as both; what was noted of both is kept. */
const uniteFacts = async (db: OrgDb, orgId: string, { loser, winner }: { loser: string; winner: string }) => {
  const found = await db
    .selectFrom('contact')
    .select(['id', 'opt_out', 'note', 'blocked_at', 'blocked_by'])
    .where(belongsTo('contact.org_id', orgId))
    .where('id', 'in', [loser, winner])
    .execute()
  const [theirs, own] = [loser, winner].map(id => found.find(contact => contact.id === id))
  if (!theirs || !own) return
  const facts = {
    ...(own.opt_out === null && theirs.opt_out !== null ? { opt_out: theirs.opt_out } : {}),
    ...(own.blocked_at === null && theirs.blocked_at !== null
      ? { blocked_at: theirs.blocked_at, blocked_by: theirs.blocked_by }
      : {}),
    ...(theirs.note === null ? {} : { note: own.note === null ? theirs.note : `${own.note}\n${theirs.note}` }),
  }
  if (!Object.keys(facts).length) return
  await db
    .updateTable('contact')
    .set(facts)
    .where(belongsTo('contact.org_id', orgId))
    .where('id', '=', winner)
    .execute()
}

/** A thread may have tens of thousands: after so many, others may have their turn. */
const movedAtOnce = 200

const moveMessages = async (
  db: OrgDb,
  orgId: string,
  { gone, kept }: { gone: string; kept: string },
  turn: LoopTurn | undefined,
) => {
  for (let moved = movedAtOnce; moved === movedAtOnce; ) {
    const { numUpdatedRows } = await db
      .updateTable('message')
      .set({ conversation_id: kept })
      .where('id', 'in', eb =>
        eb
          .selectFrom('message as moving')
          .select('moving.id')
          .where(belongsTo('moving.org_id', orgId))
          .where('moving.conversation_id', '=', gone)
          .limit(movedAtOnce),
      )
      .where(belongsTo('message.org_id', orgId))
      .executeTakeFirstOrThrow()
    moved = Number(numUpdatedRows)
    await turn?.giveWay()
  }
}

/**
 * Moves everything of one contact to another and deletes it: messages, what waits or is scheduled to be sent, tags, identities. Rare,
 * so it takes a handful of statements a pair. Conversations become one
 * where both had one on the same number. Answers where each of its threads is now.
 */
export async function mergeContacts(
  db: OrgDb,
  orgId: string,
  merge: { loser: string; winner: string },
  turn?: LoopTurn,
): Promise<Merged[]> {
  const { loser, winner } = merge
  const found = await db
    .selectFrom('conversation')
    .selectAll()
    .where(belongsTo('conversation.org_id', orgId))
    .where('contact_id', 'in', [loser, winner])
    .execute()
  const merged: Merged[] = []
  for (const from of found.filter(row => row.contact_id === loser)) {
    const into = found.find(row => row.contact_id === winner && row.connection_id === from.connection_id)
    merged.push({ gone: from.id, goneContact: loser, kept: into?.id ?? from.id })
    if (!into) continue
    await moveMessages(db, orgId, { gone: from.id, kept: into.id }, turn)
    await db
      .updateTable('scheduled_message')
      .set({ conversation_id: into.id })
      .where('org_id', '=', orgId)
      .where('conversation_id', '=', from.id)
      .execute()
    await uniteDrafts(db, orgId, { gone: from.id, kept: into.id })
    await followMerge(db, orgId, { gone: from.id, kept: into.id })
    await db
      .updateTable('conversation')
      .set(united(into, from))
      .where(belongsTo('conversation.org_id', orgId))
      .where('id', '=', into.id)
      .execute()
    await db
      .deleteFrom('conversation')
      .where(belongsTo('conversation.org_id', orgId))
      .where('id', '=', from.id)
      .execute()
  }
  await db
    .updateTable('conversation')
    .set({ contact_id: winner })
    .where(belongsTo('conversation.org_id', orgId))
    .where('contact_id', '=', loser)
    .execute()
  await db
    .insertInto('contact_tag')
    .columns(['contact_id', 'tag_id', 'org_id'])
    .expression(eb =>
      eb
        .selectFrom('contact_tag')
        .select([eb.val(winner).as('contact_id'), 'tag_id', 'org_id'])
        .where(belongsTo('contact_tag.org_id', orgId))
        .where('contact_id', '=', loser),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
  await db
    .updateTable('contact_identity')
    .set({ contact_id: winner })
    .where(belongsTo('contact_identity.org_id', orgId))
    .where('contact_id', '=', loser)
    .execute()
  await uniteValues(db, orgId, merge)
  await uniteFacts(db, orgId, { loser, winner })
  await db.deleteFrom('contact').where(belongsTo('contact.org_id', orgId)).where('id', '=', loser).execute()
  return merged
}
