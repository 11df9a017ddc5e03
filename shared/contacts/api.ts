import { type Static, Type } from 'typebox'
import { Conversation, searchMaxChars } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { TagId } from '#shared/tags/api.ts'
import { chatContactCalls, contactNameMaxChars } from './chat-contact.ts'
import { fieldValueMaxChars } from './fields.ts'
import { SegmentId } from './segments.ts'

/** Orders of the list of contacts. */
export const contactSorts = ['newest', 'activity', 'name'] as const
export type ContactSort = (typeof contactSorts)[number]
/** A search that matches more contacts is listed newest first in any order. */
export const maxSortedMatches = 2000
export const contactsPerPage = 50
export const contactsPerPart = 1000
/** Contacts that are changed, or exported by id, in one call. */
export const maxContactsAtOnce = 100
/** The most characters of a field's value in a list. A column of a table shows no more. */
export const listedValueMaxChars = 80
/** Contacts that a person selects on one page, to change them part by part. */
export const maxSelectedContacts = 20_000

export const ListedContact = Type.Object({
  id: Type.String(),
  name: Nullable(Type.String({ description: 'The name that the organization gave the contact; null: none.' })),
  profileName: Nullable(Type.String({ description: "The contact's name in WhatsApp, as last seen." })),
  createdAt: Timestamp,
  lastActivityAt: Timestamp,
  fields: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Of the field.' }),
      value: Type.String({ description: `Cut after ${listedValueMaxChars} characters.` }),
    }),
    { description: 'The fields of the organization that are known of the contact, in any order.' },
  ),
  conversation: Conversation,
})
export type ListedContact = Static<typeof ListedContact>

export const MatchingContact = Type.Object({
  id: Type.String(),
  conversationId: Type.String({ description: 'Their most recently active conversation that the caller may see.' }),
  phone: Type.String({ description: 'Digits; empty for a contact without a number.' }),
  optedOut: Type.Boolean(),
  tagIds: Type.Array(Type.String()),
})
export type MatchingContact = Static<typeof MatchingContact>

const contactFilters = {
  search: Type.Optional(
    Type.String({
      maxLength: searchMaxChars,
      description: 'Part of a name, username or number, in any format.',
    }),
  ),
  tag: Type.Optional(TagId),
  optedOut: Type.Optional(
    Type.Boolean({ description: 'True: only contacts who want no marketing; false: only the others.' }),
  ),
  segment: Type.Optional(SegmentId),
}
/** The longest cursor: an id and the beginning of a name. */
const cursorMaxChars = 320
const ContactQuery = Type.Object(
  {
    ...contactFilters,
    after: Type.Optional(
      Type.String({ minLength: 1, maxLength: cursorMaxChars, description: '`next` of the previous part.' }),
    ),
  },
  { additionalProperties: false },
)
export type ContactQuery = Static<typeof ContactQuery>

const next = Nullable(Type.String({ description: 'Value of `after` for the next part; null: this is the last one.' }))

const contactIds = (description: string) =>
  Type.Array(Type.String({ pattern: '^[0-9A-Za-z_-]{1,64}$' }), {
    minItems: 1,
    maxItems: maxContactsAtOnce,
    description,
  })

const ContactsChange = Type.Object(
  {
    ids: contactIds('Ids of contacts.'),
    field: Type.Optional(
      Type.Object(
        {
          id: Type.String({ minLength: 1, maxLength: 64 }),
          value: Type.Union([
            Type.String({ minLength: 1, maxLength: fieldValueMaxChars, pattern: '\\S' }),
            Type.Null(),
          ]),
        },
        { additionalProperties: false, description: 'The value that all of them get in one field; null: none.' },
      ),
    ),
    optedOut: Type.Optional(
      Type.Boolean({ description: 'True: they want no marketing. False: they may get it again.' }),
    ),
  },
  { additionalProperties: false },
)
export type ContactsChange = Static<typeof ContactsChange>

const OfExport = Type.Object(
  { ...ContactQuery.properties, ids: Type.Optional(contactIds('Only these contacts.')) },
  { additionalProperties: false },
)

export const contactsApi = {
  ...chatContactCalls,
  listContacts: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts',
    access: 'chat:read',
    sameFor: 'scope',
    exceptWith: ['segment'],
    query: Type.Object(
      {
        ...ContactQuery.properties,
        sort: Type.Optional(
          Type.Enum(contactSorts, {
            description: `\`newest\`: the last created first, the default · \`activity\`: the last active first · \`name\`: by name. A search that matches more than ${maxSortedMatches} contacts is listed newest first.`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ items: Type.Array(ListedContact), next }),
    summary: `Contacts, ${contactsPerPage} at a time, each with its most recently active conversation.`,
  }),
  countContacts: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/count',
    access: 'chat:read',
    query: Type.Object(contactFilters, { additionalProperties: false }),
    reply: Type.Object({
      count: Type.Integer({ minimum: 0 }),
      isMore: Type.Boolean({ description: 'True: there may be more, which were not counted.' }),
    }),
    summary: 'How many contacts the same filters list.',
  }),
  listMatching: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/matching',
    access: 'chat:reply',
    large: true,
    query: ContactQuery,
    reply: Type.Object({ items: Type.Array(MatchingContact), next }),
    summary: `The contacts that the same filters list, ${contactsPerPart} at a time and with little about each, to change all of them.`,
  }),
  exportContacts: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/report',
    access: 'member:manage',
    large: true,
    query: OfExport,
    reply: Type.Object({
      csv: Type.String({ description: 'Lines, the newest first; the first part with the names of the columns.' }),
      next,
    }),
    summary: `The list as CSV, ${contactsPerPart} rows at a time.`,
  }),
  exportCards: endpoint({
    method: 'GET',
    path: '/whatsapp/contacts/cards',
    access: 'member:manage',
    large: true,
    query: OfExport,
    reply: Type.Object({
      vcard: Type.String({ description: 'vCards 3.0, the newest first: name, number, username and tags.' }),
      next,
    }),
    summary: `The found contacts as vCards, ${contactsPerPart} at a time.`,
  }),
  saveContact: endpoint({
    method: 'POST',
    path: '/whatsapp/contacts',
    access: 'chat:reply',
    body: Type.Object(
      {
        phone: Type.String({ minLength: 3, maxLength: 40, description: 'A phone number in any format.' }),
        name: Type.String({ minLength: 1, maxLength: contactNameMaxChars, pattern: '\\S' }),
      },
      { additionalProperties: false, examples: [{ phone: '+54 9 11 5555-0100', name: 'Bárbara Suárez' }] },
    ),
    reply: Type.Object({
      phone: Type.String({ description: "Address of the contact's chat." }),
      created: Type.Boolean({ description: 'False: they were known, and have the name now.' }),
    }),
    idempotent: true,
    refuses: [404, 409],
    summary: 'Creates a contact with a name, to write to later.',
  }),
  changeContacts: endpoint({
    method: 'POST',
    path: '/whatsapp/contacts/changes',
    access: 'chat:reply',
    body: ContactsChange,
    reply: Type.Object({
      changed: Type.Integer({ description: 'How many are different now.' }),
      missing: Type.Array(Type.String(), { description: 'Ids that are not there; the others were changed.' }),
      kept: Type.Array(Type.String(), {
        description: 'Ids of contacts who stay opted out, because they chose so in WhatsApp.',
      }),
    }),
    summary: `Sets a field of up to ${maxContactsAtOnce} contacts, or whether they want marketing.`,
  }),
} as const
