import { sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf } from '#server/messaging/conversations/shown/present.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { withFailure } from '#server/messaging/events.ts'
import type { MessageCore } from '#server/messaging/messages/message-store.ts'
import { messageFacts } from '#server/messaging/messages/present.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { requireRoomFor } from '#server/platform/db/row-limits-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput, visibleText } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { type Mentionable, maxMentionable, type NoteInput, type notesApi, notesPerPage } from '#shared/inbox/notes.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { insertNote, noteContent } from './new-note.ts'
import { findNote, listColleagues, listNotes, saveNote } from './note-store.ts'

/** Members who see a conversation, by name, at most 500. */
async function listMentionable(
  db: Db,
  orgId: string,
  conversationId: string,
  scopes: Pick<Scopes, 'readScopes' | 'readFacts'>,
): Promise<Mentionable[]> {
  const readers = (await listColleagues(db, orgId, maxMentionable)).filter(({ role }) =>
    roleCan(effectiveRole(role), 'chat:read'),
  )
  const theirs = await scopes.readScopes(
    db,
    orgId,
    readers.map(({ id }) => id),
  )
  const facts = theirs ? (await scopes.readFacts(orgId, [conversationId], db)).get(conversationId) : undefined
  const isThere = (id: string) => {
    const scope = theirs?.get(id)
    return theirs === null || (scope !== undefined && sees(scope, facts))
  }
  return readers.filter(({ id }) => isThere(id)).map(({ id, name }) => ({ id, name }))
}

interface NotesParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly scopes: Pick<Scopes, 'readScopes' | 'readFacts'>
}

const noExtras = { quotes: new Map<string, never>(), reactions: new Map<string, never[]>() }
const factsOf = (row: MessageCore) => messageFacts(row, noExtras)
/** A note never fails. */
const present = (row: MessageCore): Message => withFailure(factsOf(row), code => ({ code, message: code }))

const mentionedIn = (row: MessageCore): ReadonlySet<string> =>
  new Set(factsOf(row).note?.mentions.map(({ id }) => id) ?? [])

/** Internal notes in a conversation: rows of `message` with the type `note`, which are never sent. */
export function createNotes({
  databases,
  clock,
  ids,
  writes,
  scopes,
}: NotesParts): ServiceOf<typeof notesApi, OrgCaller> {
  /** @throws InvalidInput for a person who is no member, or does not see the conversation. */
  const mentionedBy = async ({ db, orgId }: OrgWrite, row: ListRow, mentions: readonly string[] = []) => {
    if (!mentions.length) return []
    const wanted = new Set(mentions)
    const found = (await listMentionable(db, orgId, row.id, scopes)).filter(({ id }) => wanted.has(id))
    if (found.length < wanted.size) throw new InvalidInput([{ field: 'body.mentions', code: 'invalid', params: {} }])
    return found
  }

  const callMentioned = (write: OrgWrite, row: ListRow, userIds: readonly string[]) => {
    const { emit, by } = write
    if (userIds.length)
      emit({ type: 'note.mentioned', data: { ...conversationRef(row), name: nameOf(row), userIds, by } })
  }

  /** @throws INBOX_CHAT_NOT_FOUND, INBOX_NOTE_NOT_FOUND */
  const requireNote = async (
    { db }: OrgWrite,
    caller: OrgCaller,
    { phone, noteId }: { phone: string; noteId: string },
  ) => {
    const row = await requireChat(db, caller, phone)
    const note = await findNote(db, caller, { conversationId: row.id, id: noteId })
    if (!note) throw inboxErrors.NOTE_NOT_FOUND()
    return { row, note, isOwn: note.author_id === callerId(caller) }
  }

  const save = async ({ db, orgId, emit }: OrgWrite, row: ListRow, note: MessageCore): Promise<Message> => {
    await saveNote(db, orgId, note)
    emit({ type: 'message.changed', data: { ...conversationRef(row), message: factsOf(note) } })
    return present(note)
  }

  return {
    async listNotes(viewer, { params, query }) {
      const row = await requireChat(databases.read, viewer, params.phone)
      const page = query.page ?? 1
      const found = await listNotes(databases.read, viewer, {
        conversationId: row.id,
        limit: notesPerPage,
        offset: (page - 1) * notesPerPage,
      })
      return {
        items: found.slice(0, notesPerPage).map(present),
        page,
        pageSize: notesPerPage,
        hasMore: found.length > notesPerPage,
      }
    },

    addNote: (caller, { params, body }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const row = await requireChat(db, caller, params.phone)
        const mentions = await mentionedBy(write, row, body.mentions)
        await requireRoomFor(db, orgId, 'notes', 1)
        const stored = await insertNote(
          write,
          row,
          {
            text: visibleText(body.text, 'body.text'),
            mentions,
            author: { kind: caller.kind === 'key' ? 'api' : 'person', id: callerId(caller), name: caller.name },
          },
          { clock, ids },
        )
        callMentioned(
          write,
          row,
          mentions.map(({ id }) => id),
        )
        return present(stored)
      }),

    changeNote: (caller, { params, body }: { params: { phone: string; noteId: string }; body: NoteInput }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { row, note, isOwn } = await requireNote(write, caller, params)
        if (!isOwn) throw inboxErrors.NOTE_NOT_YOURS()
        const mentions = await mentionedBy(write, row, body.mentions)
        const before = mentionedIn(note)
        const text = visibleText(body.text, 'body.text')
        const content = noteContent(callerId(caller), mentions)
        if (text === note.text && content === note.content) return present(note)
        callMentioned(
          write,
          row,
          mentions.map(({ id }) => id).filter(id => !before.has(id)),
        )
        return save(write, row, { ...note, text, content, edited_at: isoNow(clock) })
      }),

    deleteNote: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const { row, note, isOwn } = await requireNote(write, caller, params)
        if (!isOwn && !roleCan(caller.role, 'member:manage')) throw inboxErrors.NOTE_NOT_YOURS()
        return save(write, row, { ...note, text: '', content: null, edited_at: null, revoked_at: isoNow(clock) })
      }),

    async listMentionable(caller, { params }) {
      const row = await requireChat(databases.read, caller, params.phone)
      return { items: await listMentionable(databases.read, caller.orgId, row.id, scopes) }
    },
  }
}
