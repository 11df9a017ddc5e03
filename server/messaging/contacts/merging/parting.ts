import { archiveStates } from '#server/messaging/archive-states.ts'
import { removeValues, saveValues } from '#server/messaging/directory/field-store.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { addressesOf, index } from './addresses.ts'
import { mergeErrors } from './errors.ts'
import {
  changeContactRow,
  changeConversationRow,
  deleteTags,
  findStatus,
  insertContact,
  insertConversation,
  insertTags,
  moveIdentities,
  moveMessagesBack,
  moveScheduledBack,
} from './parting-store.ts'
import { type ContactRow, type ConversationRow, type Moved, readWhole, type Whole } from './record-store.ts'

/** Restores values that the merge changed and nobody has changed since. */
const revert = <T extends object>(before: T, after: T, now: T, columns: readonly (keyof T)[]): Partial<T> => {
  const change: Partial<T> = {}
  for (const column of columns)
    if (now[column] === after[column] && before[column] !== after[column]) change[column] = before[column]
  return change
}

const factsOfContact = [
  'name',
  'profile_name',
  'outside_name',
  'outside_name_at',
  'updated_at',
  'opt_out',
  'note',
  'blocked_at',
  'blocked_by',
] as const satisfies readonly (keyof ContactRow)[]
const lastColumns = [
  'waiting_since',
  'last_message_seq',
  'last_message_at',
  'last_message_text',
  'last_message_type',
  'last_message_direction',
  'last_message_status',
] as const satisfies readonly (keyof ConversationRow)[]
const rowColumns = [
  'control',
  'assignee_id',
  'team_id',
  'archived',
  'window_closes_at',
  'free_until',
  'last_inbound_wamid',
] as const satisfies readonly (keyof ConversationRow)[]

/** The last message's current status, if the message still exists. */
const lastOf = async ({ db, orgId }: OrgWrite, row: ConversationRow): Promise<Partial<ConversationRow>> => {
  if (row.last_message_seq === null) return {}
  const status = await findStatus(db, orgId, row.last_message_seq)
  return { last_message_status: status ?? row.last_message_status }
}

/** Drops people and teams that no longer exist, control by a flow that has ended, and a snooze. */
const peopleOf = async ({ db, orgId }: OrgWrite, row: ConversationRow): Promise<Partial<ConversationRow>> => ({
  control: row.control === 'bot' ? 'none' : row.control,
  assignee_id: row.assignee_id && (await colleagues.hasMember(db, orgId, row.assignee_id)) ? row.assignee_id : null,
  // Its snooze was deleted with it.
  archived: row.archived === archiveStates.snoozed ? archiveStates.open : row.archived,
  team_id: row.team_id && (await colleagues.hasTeam(db, orgId, row.team_id)) ? row.team_id : null,
})

const partContact = async (write: OrgWrite, { gone, kept, after }: Moved, now: Whole): Promise<void> => {
  const { db, orgId } = write
  const keptId = kept.contact.id
  const goneId = gone.contact.id
  await insertContact(db, gone.contact)
  await moveIdentities(db, orgId, { from: keptId, to: goneId, identities: gone.identities })
  const left = now.identities.filter(
    one => !gone.identities.some(({ kind, match_key: key }) => one.kind === kind && one.match_key === key),
  )
  const change = { ...revert(kept.contact, after.contact, now.contact, factsOfContact), ...addressesOf(left) }
  await changeContactRow(db, orgId, keptId, change)
  await index(write, { ...now.contact, ...change }, { identities: left, isNew: false })
  await index(write, gone.contact, { identities: gone.identities, isNew: true })

  if (gone.tags.length) await insertTags(db, orgId, goneId, gone.tags)
  const came = gone.tags.filter(tag => !kept.tags.includes(tag))
  if (came.length) await deleteTags(db, orgId, keptId, came)
  const values = Object.entries(gone.values).map(([fieldId, value]) => ({ contactId: goneId, fieldId, value }))
  if (values.length) await saveValues(db, values, { orgId })
  const moved = Object.entries(gone.values).flatMap(([field, value]) =>
    kept.values[field] === undefined && now.values[field] === value ? [field] : [],
  )
  if (moved.length) await removeValues(db, orgId, keptId, moved)
}

/** Restores a conversation that was merged into another one. */
const restoreConversation = async (
  write: OrgWrite,
  {
    mergeId,
    from,
    into,
    moved,
    now,
  }: { mergeId: string; from: ConversationRow; into: ConversationRow; moved: Moved; now: Whole },
  turn: LoopTurn,
): Promise<void> => {
  const { db, orgId } = write
  const current = now.conversations.find(({ id }) => id === into.id)
  const after = moved.after.conversations.find(({ id }) => id === into.id)
  await insertConversation(db, { ...from, ...(await lastOf(write, from)), ...(await peopleOf(write, from)) })
  await moveMessagesBack(db, orgId, { mergeId, conversationId: from.id }, turn)
  const ids = moved.scheduled[from.id] ?? []
  if (ids.length) await moveScheduledBack(db, orgId, { ids: [...ids], conversationId: from.id })
  if (!current || !after) return
  const isLastStill = current.last_message_seq === after.last_message_seq
  const reverted = revert(into, after, current, rowColumns)
  const last = isLastStill ? Object.fromEntries(lastColumns.map(column => [column, into[column]])) : {}
  await changeConversationRow(db, orgId, into.id, {
    ...reverted,
    ...(reverted.archived === archiveStates.snoozed ? { archived: archiveStates.open } : {}),
    ...last,
    ...(isLastStill ? { ...(await lastOf(write, into)), last_activity_at: into.last_activity_at } : {}),
    unread: Math.max(0, current.unread - from.unread),
  })
}

/**
 * Undoes a merge, in the caller's transaction. What arrived since stays with the contact that was kept. Returns the id
 * of the restored contact. @throws CONTACT_MERGES_GONE when nothing is left to separate
 */
export async function separate(
  write: OrgWrite,
  { id, contactId, moved }: { id: string; contactId: string; moved: Moved },
  turn: LoopTurn,
): Promise<string> {
  const { db, orgId } = write
  const now = await readWhole(db, orgId, contactId)
  const { gone, kept } = moved
  const isThere = gone.identities.some(one =>
    now?.identities.some(({ kind, match_key: key }) => kind === one.kind && key === one.match_key),
  )
  if (!now || !isThere) throw mergeErrors.GONE()
  await partContact(write, moved, now)
  for (const from of gone.conversations) {
    if (now.conversations.some(row => row.id === from.id)) {
      await changeConversationRow(db, orgId, from.id, { contact_id: gone.contact.id })
      continue
    }
    const into = kept.conversations.find(row => row.connection_id === from.connection_id)
    if (into) await restoreConversation(write, { mergeId: id, from, into, moved, now }, turn)
  }
  return gone.contact.id
}
