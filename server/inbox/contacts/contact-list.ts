import { maxContactFields } from '#shared/contact-fields.ts'
import {
  type ContactQuery,
  type contactsApi,
  contactsPerPage,
  contactsPerPart,
  type ListedContact,
} from '#shared/contacts.ts'
import type { ServiceOf } from '#shared/contract.ts'
import type { Language } from '#shared/language.ts'
import type { OrgCaller } from '../../actor.ts'
import { csvLine } from '../../csv-line.ts'
import type { Databases } from '../../db.ts'
import { findConversationsByContact } from '../../search/contact-search.ts'
import type { Viewer } from '../../visibility/scope.ts'
import { tagsOf } from '../conversations/list-row-store.ts'
import { presentConversation } from '../present.ts'
import { lastConversationsOf, selectContacts } from './contact-list-store.ts'
import { findValues, listFields } from './field-store.ts'

interface ListParts {
  readonly databases: Databases
  translate(language: Language, key: string): string
  /** The calling code people of an organization leave out. */
  callingCodeOf?(orgId: string): Promise<string>
}

/** A search finds so many contacts at most. */
const maxFound = 500

const columns = ['name', 'profileName', 'number', 'username', 'tags', 'marketing', 'since', 'lastActivity'] as const

/** Contacts as far as their conversations are seen, the newest first: listed, narrowed, and as a file. */
export function createContactList({
  databases,
  translate,
  callingCodeOf,
}: ListParts): Pick<ServiceOf<typeof contactsApi, OrgCaller>, 'listContacts' | 'exportContacts'> {
  const { read } = databases

  const find = async (viewer: Viewer, query: ContactQuery): Promise<readonly string[] | undefined> => {
    const typed = query.search?.trim()
    if (!typed) return undefined
    const home = await callingCodeOf?.(viewer.orgId)
    return findConversationsByContact(read, viewer, { typed, home, limit: maxFound })
  }

  const list = async (viewer: Viewer, query: ContactQuery, limit: number) => {
    const conversationIds = await find(viewer, query)
    if (conversationIds?.length === 0) return { items: [], next: null }
    const filter = { tagId: query.tag, optedOut: query.optedOut, after: query.after, conversationIds }
    const found = await selectContacts(read, viewer, filter, limit + 1).execute()
    const page = found.slice(0, limit)
    const ids = page.map(({ id }) => id)
    const conversations = await lastConversationsOf(read, viewer, ids)
    const tags = await tagsOf(read, viewer.orgId, ids)
    const items = page.flatMap(({ id, name, profile_name, created_at }): ListedContact[] => {
      const row = conversations.get(id)
      // Gone, or out of sight, since the list was read.
      if (!row) return []
      const conversation = presentConversation(row, tags.get(id))
      return [
        {
          id,
          name,
          profileName: profile_name,
          createdAt: created_at,
          lastActivityAt: row.last_activity_at,
          conversation,
        },
      ]
    })
    return { items, next: found.length > limit ? (ids.at(-1) ?? null) : null }
  }

  const lineOf = (contact: ListedContact, filled: readonly string[], language: Language): string => {
    const { name, profileName, createdAt, lastActivityAt, conversation } = contact
    const { displayPhone, username, tags, optOut } = conversation
    return csvLine(
      [
        name ?? '',
        profileName ?? '',
        // A plus would be marked as what begins a formula.
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
    listContacts: (viewer, { query }) => list(viewer, query, contactsPerPage),

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
