import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import { cutAtWord } from '#server/platform/text/cut-at-word.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { nextLook } from '#server/platform/work/next-look.ts'
import {
  type ContactQuery,
  type contactsApi,
  contactsPerPage,
  contactsPerPart,
  type ListedContact,
  listedValueMaxChars,
} from '#shared/contacts/api.ts'
import { maxContactFields } from '#shared/contacts/fields.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { neverActive, tagsOf } from '../conversations/list-row-store.ts'
import { presentConversation } from '../present.ts'
import { findContacts } from '../search/contact-search.ts'
import {
  type ContactFilter,
  type FoundContact,
  findWindowStart,
  lastConversationsOf,
  selectContacts,
} from './contact-list-store.ts'
import { findValues, listFields } from './field-store.ts'
import { findSegment, wroteSinceOf } from './segment-store.ts'
import { vcardOf } from './vcard-line.ts'

interface ListParts {
  readonly databases: Databases
  readonly clock: Clock
  translate(language: Language, key: string): string
  /** The calling code that members of an organization omit. */
  callingCodeOf?(orgId: string): Promise<string>
}

/** Contacts that match by name and are then checked for the filters and the viewer's rights, at once. */
const maxPerQuery = 500
/** For a viewer who sees few of many, stop after this many. */
const maxChecked = 10_000

const columns = ['name', 'profileName', 'number', 'username', 'tags', 'marketing', 'since', 'lastActivity'] as const

type OfSegment = NonNullable<ContactFilter['segment']>
/** `ids`: only these, whatever they are called. */
type ListQuery = ContactQuery & { readonly ids?: readonly string[] }

/** A contact without its fields, which only a page shows. */
type ContactLine = Omit<ListedContact, 'fields'>

interface Part {
  readonly rows: readonly FoundContact[]
  /** Cursor of the next page. Null: there is none. */
  readonly next: string | null
}

/** Makes a page from rows of which one more than the limit was read. */
const cutPart = (rows: readonly FoundContact[], limit: number): Part => ({
  rows: rows.slice(0, limit),
  next: rows.length > limit ? (rows[limit - 1]?.id ?? null) : null,
})

/** Contacts whose conversations the viewer sees, newest first: listed, filtered, and as a file. */
export function createContactList({
  databases,
  clock,
  translate,
  callingCodeOf,
}: ListParts): Pick<
  ServiceOf<typeof contactsApi, OrgCaller>,
  'listContacts' | 'listMatching' | 'exportContacts' | 'exportCards'
> {
  const { read } = databases

  /** @throws InvalidInput for a segment that is not there */
  const requireSegment = async (orgId: string, id: string): Promise<OfSegment> => {
    const segment = await findSegment(read, orgId, id)
    if (!segment) throw new InvalidInput([{ field: 'query.segment', code: 'invalid', params: {} }])
    return { filter: segment.filter, wroteSince: wroteSinceOf(segment.filter, clock) }
  }

  /** Contacts that match by name, in the order of the search. */
  const findCalled = async (
    viewer: Viewer,
    query: ContactQuery,
    typed: string,
    limit: number,
    segment: OfSegment | undefined,
  ): Promise<Part> => {
    const home = await callingCodeOf?.(viewer.orgId)
    const rows: FoundContact[] = []
    let after = query.after
    for (let checked = 0, look = limit + 1; checked < maxChecked; ) {
      const ids = await findContacts(read, viewer.orgId, { typed, home, after, limit: look })
      const filter = { tagId: query.tag, optedOut: query.optedOut, ids, segment }
      const found = ids.length ? await selectContacts(read, viewer, filter, look).execute() : []
      const byId = new Map(found.map(row => [row.id, row]))
      rows.push(...ids.flatMap(id => byId.get(id) ?? []))
      if (rows.length > limit) return cutPart(rows, limit)
      if (ids.length < look) return { rows, next: null }
      after = ids.at(-1)
      checked += look
      look = Math.min(
        nextLook({ found: rows.length, wanted: limit + 1, looked: checked, least: limit + 1 }),
        maxPerQuery,
      )
      await nextTurn()
    }
    return { rows, next: after ?? null }
  }

  /** Contacts of a segment, a window of contacts at a time: few of many may meet its conditions. */
  const findOfSegment = async (viewer: Viewer, query: ListQuery, segment: OfSegment, limit: number): Promise<Part> => {
    const rows: FoundContact[] = []
    let { after } = query
    for (let checked = 0; checked < maxChecked; checked += maxPerQuery) {
      const from = await findWindowStart(read, viewer.orgId, { after, size: maxPerQuery })
      const filter = { tagId: query.tag, optedOut: query.optedOut, ids: query.ids, after, from, segment }
      rows.push(...(await selectContacts(read, viewer, filter, limit + 1 - rows.length).execute()))
      if (rows.length > limit || from === undefined) return cutPart(rows, limit)
      after = from
      await nextTurn()
    }
    return { rows, next: after ?? null }
  }

  const find = async (viewer: Viewer, query: ListQuery, limit: number): Promise<Part> => {
    const typed = query.search?.trim()
    const segment = query.segment === undefined ? undefined : await requireSegment(viewer.orgId, query.segment)
    if (typed && !query.ids) return findCalled(viewer, query, typed, limit, segment)
    if (segment) return findOfSegment(viewer, query, segment, limit)
    const filter = { tagId: query.tag, optedOut: query.optedOut, ids: query.ids, after: query.after }
    return cutPart(await selectContacts(read, viewer, filter, limit + 1).execute(), limit)
  }

  const list = async (viewer: Viewer, query: ListQuery, limit: number) => {
    const { rows: page, next } = await find(viewer, query, limit)
    const ids = page.map(({ id }) => id)
    const conversations = await lastConversationsOf(read, viewer, ids)
    const tags = await tagsOf(read, viewer.orgId, ids)
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
