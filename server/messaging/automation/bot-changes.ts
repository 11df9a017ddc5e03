import { archiveStates } from '#server/messaging/archive-states.ts'
import { type Choose, giveUnsaved } from '#server/messaging/assignment/giving-out.ts'
import { setTag } from '#server/messaging/contacts/tagging.ts'
import { emitSnoozeEnded } from '#server/messaging/conversations/changes/snooze-ended.ts'
import { type ControlCause, decideControl } from '#server/messaging/conversations/control.ts'
import { isOpenFor } from '#server/messaging/conversations/conversations.ts'
import { findRows, type ListRow, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { conversationRef, nameOf, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { contactAddress } from '#server/messaging/identifier.ts'
import { insertNote } from '#server/messaging/notes/new-note.ts'
import { assign } from '#server/messaging/people/assigning.ts'
import { callPeople } from '#server/messaging/people/call-people.ts'
import { colleagues } from '#server/messaging/people/colleagues.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import { countRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Clock } from '#server/platform/time/clock.ts'

interface BotParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  /** Absent: conversations are not assigned automatically. */
  readonly choosing?: Choose
}

const findRow = async (db: Db, orgId: string, conversationId: string): Promise<ListRow | undefined> =>
  (await findRows.byId(db, [conversationId], { orgId }))[0]

/** Reads conversations for flows, by id. Missing ones are absent. */
export async function readForBot(
  db: Db,
  orgId: string,
  conversationIds: readonly string[],
  { clock }: Pick<BotParts, 'clock'>,
) {
  const rows = conversationIds.length ? await findRows.byId(db, conversationIds, { orgId }) : []
  const contactIds = rows.map(row => row.contact_id)
  const tags = await readTagsOfContacts(db, orgId, contactIds)
  const now = clock.now().getTime()
  return new Map(
    rows.map(row => [
      row.id,
      {
        contactId: row.contact_id,
        control: row.control,
        name: nameOf(row),
        number: contactAddress(row),
        agent: row.assignee_name ?? '',
        isWindowOpen: isOpenFor(row, now),
        isOptedOut: row.opt_out !== null,
        tagIds: (tags.get(row.contact_id) ?? []).map(({ id }) => id),
      },
    ]),
  )
}

/** The customers of these conversations. */
export async function readCustomers(
  db: Db,
  orgId: string,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, { name: string; phone: string }>> {
  const rows = conversationIds.length ? await findRows.byId(db, [...new Set(conversationIds)], { orgId }) : []
  return new Map(rows.map(row => [row.id, { name: nameOf(row), phone: contactAddress(row) }]))
}

/** Saves a row and emits what changed. */
const save = async (write: OrgWrite, row: ListRow, was: Pick<ListRow, 'control' | 'archived'>, by: EventActor) => {
  const { db, orgId, emit } = write
  if (row.control === was.control && row.archived === was.archived) return
  await saveConversations(db, [row], { orgId })
  if (row.archived !== was.archived) {
    if (was.archived === archiveStates.snoozed) emitSnoozeEnded({ emit }, row, { why: 'ended', by })
    if (row.archived === archiveStates.archived)
      emit({ type: 'conversation.archived', data: { ...conversationRef(row), by } })
  }
  if (row.control !== was.control)
    emit({
      type: 'conversation.controlChanged',
      data: { ...conversationRef(row), from: was.control, to: row.control, by },
    })
  const tags = await readTagsOfContacts(db, orgId, [row.contact_id])
  emit({
    type: 'conversation.changed',
    data: { ...conversationRef(row), conversation: presentConversation(row, tags.get(row.contact_id)) },
  })
}

/** A flow takes control of a conversation or ends it: archived, or controlled by nobody. */
export async function changeBotControl(
  write: OrgWrite,
  conversationId: string,
  {
    cause,
    by,
    isArchived = false,
  }: { cause: ControlCause['kind'] & ('botWrote' | 'botEnded' | 'released'); by: EventActor; isArchived?: boolean },
): Promise<void> {
  const row = await findRow(write.db, write.orgId, conversationId)
  if (!row) return
  const was = { control: row.control, archived: row.archived }
  row.control = decideControl(
    { control: row.control, assigneeId: row.assignee_id },
    { kind: isArchived ? 'archived' : cause },
  )
  if (isArchived) row.archived = archiveStates.archived
  await save(write, row, was, by)
}

const addNote = async (write: OrgWrite, row: ListRow, text: string, by: EventActor, parts: BotParts) => {
  // The conversation continues without the note.
  if ((await countRoomFor(write.db, write.orgId, 'notes')) < 1) return
  await insertNote(write, row, { text, author: { kind: 'bot', id: by.id, name: by.name } }, parts)
}

/** Adds an internal note by a flow. Emits `note.added`. */
export async function noteAsBot(
  write: OrgWrite,
  conversationId: string,
  { text, by }: { text: string; by: EventActor },
  parts: BotParts,
): Promise<void> {
  const row = await findRow(write.db, write.orgId, conversationId)
  if (row) await addNote(write, row, text, by, parts)
}

/**
 * A flow hands a conversation to people: to a team or person that still exists, otherwise to anybody. A person who
 * controls it keeps it. Emits `conversation.personNeeded` when a customer begins to wait, and `note.added` for the
 * note.
 */
export async function handOver(
  write: OrgWrite,
  conversationId: string,
  {
    teamId,
    memberId,
    note,
    by,
  }: { teamId: string | null; memberId: string | null; note: string | null; by: EventActor },
  parts: BotParts,
): Promise<void> {
  const { db, orgId } = write
  let row = await findRow(db, orgId, conversationId)
  if (!row || row.control === 'human') return
  const team = teamId !== null && (await colleagues.hasTeam(db, orgId, teamId)) ? teamId : undefined
  const member = memberId !== null && (await colleagues.hasMember(db, orgId, memberId)) ? memberId : undefined
  if (team !== undefined || member !== undefined)
    row = await assign({ ...write, by }, row, {
      ...(team === undefined ? {} : { teamId: team }),
      ...(member === undefined ? {} : { userId: member }),
    })
  const was = { control: row.control, archived: row.archived }
  row.control = decideControl({ control: row.control, assigneeId: row.assignee_id }, { kind: 'handedOver' })
  if (row.archived === archiveStates.snoozed) row.archived = archiveStates.open
  const given = await giveUnsaved(write, row.control === 'needsHuman' ? [row] : [], parts.choosing)
  const begins = row.control === 'needsHuman' && was.control !== 'needsHuman'
  const calls = begins ? callPeople([row], parts.clock.now(), 'handedOver') : []
  await given.save()
  await save(write, row, was, by)
  given.emitEvents()
  if (note) await addNote(write, row, note, by, parts)
  for (const call of calls) write.emit(call)
}

/** Adds a tag to the conversation's contact or removes it. @throws TAGS_NOT_FOUND, TAGS_TOO_MANY_ON_CONTACT */
export async function tagAsBot(
  write: OrgWrite,
  conversationId: string,
  change: { tagId: string; isOn: boolean },
  { tags }: { tags: Tags },
): Promise<void> {
  const row = await findRow(write.db, write.orgId, conversationId)
  if (row) await setTag(write, [row], change, tags)
}

/** Tags by contact. */
export async function listTagIds(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const tags = await readTagsOfContacts(db, orgId, contactIds)
  return new Map([...tags].map(([contactId, of]) => [contactId, of.map(({ id }) => id)]))
}
