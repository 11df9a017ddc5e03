import type { Viewer } from '#server/identity/visibility/scope.ts'
import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import { findRows, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef, nameOf, presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { findBlock } from '#server/messaging/directory/blocking-store.ts'
import { findContacts, type KnownContact } from '#server/messaging/directory/contact-store.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { ContactPart } from '#server/messaging/events.ts'
import { contactSearchText, type Identifier } from '#server/messaging/identifier.ts'
import { saveContactTerms } from '#server/messaging/search/contact-index.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput, visibleText } from '#server/platform/http/validate.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { contactsApi } from '#shared/contacts/api.ts'
import { type Contact, contactNoteMaxChars } from '#shared/contacts/chat-contact.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { findContactNote, listConversationsOf, saveContactName, saveContactNote } from './contact-details-store.ts'
import { fillFields, readFilled } from './field-values.ts'

interface ContactParts {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
}

type Kind = Exclude<Identifier['kind'], 'other'>
type Identified = KnownContact & { kind: Kind; match_key: string; value: string; seen_at: string }

const kinds: readonly Kind[] = ['phone', 'bsuid', 'username']

/** The contact's identities, last seen of each kind first. */
const identitiesIn = (rows: readonly KnownContact[]): Identified[] =>
  rows
    .filter((row): row is Identified => row.kind !== null && row.kind !== 'other')
    .sort(
      (a, b) =>
        kinds.indexOf(a.kind) - kinds.indexOf(b.kind) ||
        (a.seen_at === b.seen_at ? (a.value < b.value ? -1 : 1) : a.seen_at < b.seen_at ? 1 : -1),
    )

const shownAs = ({ kind, value }: Identified): string => {
  if (kind === 'phone') return displayPhone(value) || value
  return kind === 'username' ? `@${value}` : value
}

/** @throws InvalidInput for a name without visible characters, or with characters that disguise it. */
export const nameOfInput = (typed: string | null): string | null => {
  if (typed === null) return null
  const name = typed.normalize('NFC').trim().replace(/\s+/g, ' ')
  if (!isPlainName(name)) throw new InvalidInput([{ field: 'body.name', code: 'invalid', params: {} }])
  return name
}

const requireContact = async (db: Db, orgId: string, contactId: string) => {
  const rows = await findContacts.byId(db, [contactId], { orgId })
  const [contact] = rows
  if (!contact) throw inboxErrors.CHAT_NOT_FOUND()
  return { contact, identities: identitiesIn(rows) }
}

/** Emits `contact.changed` for each contact, and `conversation.changed` for each of their conversations. */
export const emitContactsChanged = async (
  write: OrgWrite,
  contactIds: readonly string[],
  changed: readonly ContactPart[],
): Promise<void> => {
  const { db, orgId, emit } = write
  const rows = await findRows.byContact(db, contactIds, { orgId })
  for (const first of new Map(rows.toReversed().map(row => [row.contact_id, row])).values())
    emit({ type: 'contact.changed', data: { ...conversationRef(first), name: nameOf(first), changed } })
  await emitChanged(write, rows)
}

const rename = async ({ db, orgId }: OrgWrite, contactId: string, name: string | null): Promise<boolean> => {
  const { contact, identities } = await requireContact(db, orgId, contactId)
  if (contact.name === name) return false
  const phones = identities.flatMap(({ kind, match_key: key, value }) => (kind === 'phone' ? [{ key, value }] : []))
  const search = contactSearchText({ name, profileName: contact.profile_name, username: contact.username }, phones)
  await saveContactName(db, orgId, { id: contactId, name, search })
  await saveContactTerms(db, orgId, [{ contactId, names: search, isNew: false }])
  return true
}

/** Sets the contact's name as a member typed it. Emits `conversation.changed`; the same name changes nothing. */
export async function nameContactAs(write: OrgWrite, contactId: string, name: string | null): Promise<void> {
  if (await rename(write, contactId, name)) await emitContactsChanged(write, [contactId], ['name'])
}

const annotate = async ({ db, orgId }: OrgWrite, contactId: string, typed: string | null): Promise<boolean> => {
  const note = typed?.trim() ?? null
  if ((await findContactNote(db, orgId, contactId)) === note) return false
  await saveContactNote(db, orgId, { id: contactId, note })
  return true
}

/** Sets fields of the contact. Emits the same events as a member's change. @throws InvalidInput naming `body.fields` */
export async function fillContactAs(
  write: OrgWrite,
  contactId: string,
  fields: Parameters<typeof fillFields>[2],
): Promise<void> {
  if (await fillFields(write, contactId, fields)) await emitContactsChanged(write, [contactId], ['fields'])
}

/** Appends a line to the note, unless the note has it or would be too long. */
const addLine = async (write: OrgWrite, contactId: string, line: string): Promise<boolean> => {
  const note = await findContactNote(write.db, write.orgId, contactId)
  if (note?.split('\n').includes(line)) return false
  const longer = note ? `${note}\n${line}` : line
  return longer.length <= contactNoteMaxChars && annotate(write, contactId, longer)
}

/**
 * Stores what a flow collects about a contact: a name, or a line of the note. Emits the same events as a member's
 * change.
 */
export async function changeContactAsBot(
  write: OrgWrite,
  conversationId: string,
  { field, value }: { field: 'name' | 'note'; value: string },
): Promise<void> {
  const [row] = await findRows.byId(write.db, [conversationId], { orgId: write.orgId })
  if (!row) return
  const contactId = row.contact_id
  const isChanged = field === 'name' ? await rename(write, contactId, value) : await addLine(write, contactId, value)
  if (isChanged) await emitContactsChanged(write, [contactId], [field])
}

/**
 * Contacts as their conversations show them. A viewer who sees none of a contact's conversations does not see the
 * contact.
 */
export function createContacts({
  databases,
  writes,
}: ContactParts): Pick<ServiceOf<typeof contactsApi, OrgCaller>, 'getContact' | 'changeContact'> {
  const present = async (db: Db, viewer: Viewer, contactId: string): Promise<Contact> => {
    const { contact, identities } = await requireContact(db, viewer.orgId, contactId)
    const conversations = await listConversationsOf(db, viewer, { contactId })
    const tags = (await readTagsOfContacts(db, viewer.orgId, [contactId])).get(contactId)
    return {
      id: contact.id,
      name: contact.name,
      profileName: contact.profile_name,
      identifiers: identities.map(row => ({
        kind: row.kind,
        value: row.value,
        shown: shownAs(row),
        seenAt: row.seen_at,
      })),
      note: await findContactNote(db, viewer.orgId, contactId),
      block: await findBlock(db, viewer.orgId, contactId),
      fields: await readFilled(db, viewer.orgId, contactId),
      createdAt: contact.created_at,
      conversations: conversations.map(row => presentConversation(row, tags)),
    }
  }

  return {
    async getContact(member, { params }) {
      const row = await requireChat(databases.read, member, params.phone)
      return present(databases.read, member, row.contact_id)
    },

    /** Emits `conversation.changed` for each of their rows. Equal values change nothing. */
    changeContact: (member, { params, body }) =>
      writes.run(member.orgId, actorOf(member), async write => {
        const name = body.name === undefined ? undefined : nameOfInput(body.name)
        const row = await requireChat(write.db, member, params.phone)
        const isRenamed = name !== undefined && (await rename(write, row.contact_id, name))
        const isNoted =
          body.note !== undefined &&
          (await annotate(write, row.contact_id, body.note && visibleText(body.note, 'body.note')))
        const isFilled = body.fields !== undefined && (await fillFields(write, row.contact_id, body.fields))
        const changed: ContactPart[] = [
          ...(isRenamed ? (['name'] as const) : []),
          ...(isNoted ? (['note'] as const) : []),
          ...(isFilled ? (['fields'] as const) : []),
        ]
        if (changed.length) await emitContactsChanged(write, [row.contact_id], changed)
        return present(write.db, member, row.contact_id)
      }),
  }
}
