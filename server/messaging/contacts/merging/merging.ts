import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import { findRows, type ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { nameOf } from '#server/messaging/conversations/shown/present.ts'
import { emitMerges } from '#server/messaging/directory/merge.ts'
import { mergeContacts } from '#server/messaging/directory/merge-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { type contactMergesApi, mergesListed, mergeUndoDays } from '#shared/contacts/merges.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { addressesOf, index } from './addresses.ts'
import { mergeErrors } from './errors.ts'
import { separate } from './parting.ts'
import { changeContactRow } from './parting-store.ts'
import {
  deleteMerge,
  deleteMergeMessagesBefore,
  deleteMergesBefore,
  findMerge,
  insertMerge,
  insertMergeMessages,
  listMerges,
  listScheduledIds,
  readWhole,
  saveMoved,
} from './record-store.ts'

interface MergingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
}

const dayMs = 86_400_000
const prunedAtOnce = 200
const messagesPrunedAtOnce = 500

/** Emits how these contacts' rows look now. */
const emitRows = async (
  write: OrgWrite,
  contactIds: readonly string[],
  type: 'conversation.changed' | 'contact.parted',
): Promise<void> => emitChanged(write, await findRows.byContact(write.db, contactIds, { orgId: write.orgId }), type)

/** Merges two contacts that a member knows to be one person. It can be undone for some days. */
export function createMerging({ databases, clock, ids, writes }: MergingParts) {
  /** @throws INBOX_CHAT_NOT_FOUND; InvalidInput for a chat of the same contact */
  const requireOther = async (db: Db, caller: OrgCaller, row: ListRow, address: string): Promise<ListRow> => {
    const other = await requireChat(db, caller, address)
    if (other.contact_id === row.contact_id)
      throw new InvalidInput([{ field: 'body.other', code: 'invalid', params: {} }])
    return other
  }

  const merge = async (write: OrgWrite, row: ListRow, other: ListRow): Promise<string> => {
    const { db, orgId, by } = write
    const [kept, gone] = [await readWhole(db, orgId, row.contact_id), await readWhole(db, orgId, other.contact_id)]
    if (!kept || !gone) throw mergeErrors.GONE()
    const id = ids(clock.now().getTime())
    const at = isoNow(clock)
    const conversationIds = gone.conversations.map(one => one.id)
    const scheduled = await listScheduledIds(db, orgId, conversationIds)
    const record = {
      id,
      contactId: kept.contact.id,
      name: nameOf(other),
      by: by.name ?? '',
      at,
      undoUntil: isoIn(clock, mergeUndoDays * dayMs),
    }
    await insertMerge(db, orgId, record)
    for (const conversationId of conversationIds)
      await insertMergeMessages(db, orgId, { mergeId: id, conversationId }, databases.turn)
    const pair = { loser: gone.contact.id, winner: kept.contact.id }
    const merged = await mergeContacts(db, orgId, pair, databases.turn)
    const identities = [...kept.identities, ...gone.identities]
    // The profile name that was seen last.
    const said = [kept.contact, gone.contact].reduce((a, b) =>
      b.profile_name !== null && (a.profile_name === null || b.updated_at > a.updated_at) ? b : a,
    )
    const named = kept.contact.name === null ? gone.contact : kept.contact
    const names = {
      name: named.name,
      outside_name: named.outside_name,
      outside_name_at: named.outside_name_at,
      profile_name: said.profile_name,
      updated_at: said.updated_at,
      ...addressesOf(identities),
    }
    await changeContactRow(db, orgId, kept.contact.id, names)
    await index(write, { ...kept.contact, ...names }, { identities, isNew: false })
    const after = await readWhole(db, orgId, kept.contact.id)
    if (!after) throw mergeErrors.GONE()
    await saveMoved(db, orgId, id, { gone, kept, after, scheduled })
    await emitMerges(write, merged, { asked: true })
    await emitRows(write, [kept.contact.id], 'conversation.changed')
    return id
  }

  const present = (db: Db, orgId: string, contactId: string) => listMerges(db, orgId, contactId, mergesListed)

  const service: ServiceOf<typeof contactMergesApi, OrgCaller> = {
    merge: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const row = await requireChat(write.db, caller, params.phone)
        const other = await requireOther(write.db, caller, row, body.other)
        const id = await merge(write, row, other)
        const made = (await present(write.db, write.orgId, row.contact_id)).find(one => one.id === id)
        if (!made) throw mergeErrors.GONE()
        return made
      }),

    async listMerges(caller, { params }) {
      const row = await requireChat(databases.read, caller, params.phone)
      const now = isoNow(clock)
      const items = await present(databases.read, caller.orgId, row.contact_id)
      return { items: items.filter(({ undoUntil }) => undoUntil > now) }
    },

    undoMerge: (caller, { params: { id } }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const found = await findMerge(write.db, write.orgId, id)
        if (!found?.moved || found.undoUntil <= isoNow(clock)) throw mergeErrors.NOT_FOUND()
        const contactId = await separate(write, { id, ...found, moved: found.moved }, databases.turn)
        await deleteMerge(write.db, write.orgId, id, databases.turn)
        await emitRows(write, [found.contactId, contactId], 'contact.parted')
        return { success: true }
      }),
  }
  return {
    service,
    /** Deletes records of merges that can no longer be undone. Returns how many. */
    async prune(): Promise<number> {
      const before = isoNow(clock)
      await inBatches(messagesPrunedAtOnce, limit => deleteMergeMessagesBefore(databases.write, before, limit))
      return inBatches(prunedAtOnce, limit => deleteMergesBefore(databases.write, before, limit))
    },
  }
}
