import type { Viewer } from '#server/identity/visibility/scope.ts'
import { neverActive, readTagsOfContacts } from '#server/messaging/conversations/rows/list-row-store.ts'
import { presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { findValues, listFields } from '#server/messaging/directory/field-store.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import { cutAtWord } from '#server/platform/text/cut-at-word.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import {
  type contactsApi,
  contactsPerPage,
  contactsPerPart,
  type ListedContact,
  listedValueMaxChars,
} from '#shared/contacts/api.ts'
import { maxContactFields } from '#shared/contacts/fields.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { isPhoneDigits } from '#shared/kernel/phone.ts'
import { createContactFinding, type ListQuery } from './contact-finding.ts'
import { listLastConversations } from './contact-list-store.ts'

/** Escapes a value. @see RFC 2426, 5 */
const escaped = (text: string): string => text.replace(/[\\,;]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n')

/** A contact as a vCard 3.0, which every phone and mail program reads: name, number, username and tags. */
function vcardOf({
  name,
  profileName,
  conversation,
}: Pick<ListedContact, 'name' | 'profileName' | 'conversation'>): string {
  const { phone, displayPhone, username, tags } = conversation
  const called = escaped(name || profileName || (username ? `@${username}` : displayPhone))
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${called}`,
    `N:;${called};;;`,
    ...(isPhoneDigits(phone) ? [`TEL;TYPE=CELL:+${phone}`] : []),
    ...(username ? [`NICKNAME:${escaped(username)}`] : []),
    ...(tags.length ? [`CATEGORIES:${tags.map(({ label }) => escaped(label)).join(',')}`] : []),
    'END:VCARD',
    '',
  ].join('\r\n')
}

interface ListParts {
  readonly databases: Databases
  readonly clock: Clock
  translate(language: Language, key: string): string
  /** The calling code that members of an organization omit. */
  readCallingCode?(orgId: string): Promise<string>
}

const columns = ['name', 'profileName', 'number', 'username', 'tags', 'marketing', 'since', 'lastActivity'] as const

/** A contact without its fields, which only a page shows. */
type ContactLine = Omit<ListedContact, 'fields'>

/** Contacts whose conversations the viewer sees, newest first: listed, filtered, and as a file. */
export function createContactList({
  databases,
  clock,
  translate,
  readCallingCode,
}: ListParts): Pick<
  ServiceOf<typeof contactsApi, OrgCaller>,
  'listContacts' | 'countContacts' | 'listMatching' | 'exportContacts' | 'exportCards'
> {
  const { read } = databases

  const { find, count } = createContactFinding({ read, clock, readCallingCode })

  const list = async (viewer: Viewer, query: ListQuery, limit: number) => {
    const { rows: page, next } = await find(viewer, query, limit)
    const ids = page.map(({ id }) => id)
    const conversations = await listLastConversations(read, viewer, ids)
    const tags = await readTagsOfContacts(read, viewer.orgId, ids)
    const items = page.flatMap(({ id, name, profile_name, created_at }): ContactLine[] => {
      const row = conversations.get(id)
      // Deleted or hidden since the list was read.
      if (!row) return []
      const conversation = presentConversation(row, tags.get(id))
      return [
        {
          id,
          name,
          profileName: profile_name,
          createdAt: created_at,
          lastActivityAt:
            row.last_activity_at === neverActive ? (row.last_message_at ?? created_at) : row.last_activity_at,
          conversation,
        },
      ]
    })
    return { items, next }
  }

  const lineOf = (contact: ContactLine, filled: readonly string[], language: Language): string => {
    const { name, profileName, createdAt, lastActivityAt, conversation } = contact
    const { displayPhone, username, tags, optOut } = conversation
    return csvLine(
      [
        name ?? '',
        profileName ?? '',
        // A leading plus would be escaped as the start of a formula.
        displayPhone.replace('+', ''),
        username ? `@${username}` : '',
        tags.map(({ label }) => label).join(', '),
        translate(language, optOut ? 'contacts:optedOut' : 'contacts:mayGet'),
        ...[createdAt, lastActivityAt].map(at => at.slice(0, 19).replace('T', ' ')),
        ...filled,
      ],
      language,
    )
  }

  return {
    async listContacts(viewer, { query }) {
      const { items, next } = await list(viewer, query, contactsPerPage)
      const filled = Map.groupBy(
        await findValues(
          read,
          items.map(({ id }) => id),
          { orgId: viewer.orgId },
        ),
        row => row.contact_id,
      )
      const fieldsOf = (id: string): ListedContact['fields'] =>
        (filled.get(id) ?? []).map(row => ({ id: row.field_id, value: cutAtWord(row.value, listedValueMaxChars) }))
      return { items: items.map(item => ({ ...item, fields: fieldsOf(item.id) })), next }
    },

    countContacts: (viewer, { query }) => count(viewer, query),

    async listMatching(caller, { query }) {
      const { items, next } = await list(caller, query, contactsPerPart)
      return {
        items: items.map(({ id, conversation: { id: conversationId, phone, displayPhone, optOut, tags } }) => ({
          id,
          conversationId,
          phone: displayPhone ? phone : '',
          optedOut: Boolean(optOut),
          tagIds: tags.map(tag => tag.id),
        })),
        next,
      }
    },

    async exportCards(caller, { query }) {
      const { items, next } = await list(caller, query, contactsPerPart)
      return { vcard: items.map(vcardOf).join(''), next }
    },

    async exportContacts(caller, { query }) {
      const { language } = caller
      const { items, next } = await list(caller, query, contactsPerPart)
      const fields = await listFields(read, caller.orgId, maxContactFields)
      const ids = fields.length ? items.map(({ id }) => id) : []
      const values = new Map(
        (await findValues(read, ids, { orgId: caller.orgId })).map(row => [
          `${row.contact_id} ${row.field_id}`,
          row.value,
        ]),
      )
      const filledOf = (contactId: string) => fields.map(({ id }) => values.get(`${contactId} ${id}`) ?? '')
      const names = [
        ...columns.map(column => translate(language, `contacts:column.${column}`)),
        ...fields.map(({ label }) => label),
      ]
      const head = query.after === undefined ? csvLine(names, language) : ''
      return { csv: head + items.map(contact => lineOf(contact, filledOf(contact.id), language)).join(''), next }
    },
  }
}
