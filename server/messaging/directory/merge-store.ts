import { mergeRows } from '#server/messaging/conversations/changes/merge-rows.ts'
import { mergeDrafts } from '#server/messaging/drafts/store.ts'
import { followMerge } from '#server/messaging/outbox/order.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { mergeValues } from './field-store.ts'

/**
 * A thread of a merged contact: ids of its former conversation and contact, and of the conversation that holds it now.
 * Both conversations are the same if the other contact had none on that number.
 */
export interface Merged {
  gone: string
  goneContact: string
  kept: string
}

/** Opt-out and block apply if either contact had them. Notes are joined. */
const mergeFacts = async (db: OrgDb, orgId: string, { loser, winner }: { loser: string; winner: string }) => {
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

/** A thread may have tens of thousands of messages. After this many, other work runs. */
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
 * Moves everything of one contact to another and deletes it: messages, queued and scheduled ones, tags, identities.
 * Conversations on the same number are merged. Returns where each thread is now. Rare, so a few statements per pair are
 * fine.
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
    await mergeDrafts(db, orgId, { gone: from.id, kept: into.id })
    await followMerge(db, orgId, { gone: from.id, kept: into.id })
    await db
      .updateTable('conversation')
      .set(mergeRows(into, from))
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
  await mergeValues(db, orgId, merge)
  await mergeFacts(db, orgId, { loser, winner })
  await db.deleteFrom('contact').where(belongsTo('contact.org_id', orgId)).where('id', '=', loser).execute()
  return merged
}
