import { type Static, Type } from 'typebox'
import { ListPartCount, maxOfListPart, maxTagsOfFilter, nobody } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done } from '#shared/kernel/list.ts'
import { maxShownViews } from './shown.ts'

/** Shared views per organization, and private views per person. */
export const maxViews = 50
export const viewNameMaxChars = 40

/** Filters of the conversation list, without search words. `me`: the reader. */
export const ViewFilter = Type.Partial(
  Type.Object({
    archived: Type.Literal(true),
    snoozed: Type.Literal(true),
    unread: Type.Literal(true),
    needsHuman: Type.Literal(true),
    metaAgent: Type.Literal(true),
    failed: Type.Literal(true),
    overdue: Type.Literal(true),
    closing: Type.Literal(true),
    waiting: Type.Literal(true),
    assignee: Type.Enum(['me', nobody]),
    number: Type.String({ pattern: '^[0-9]{1,15}$', description: 'Digits of one of our numbers.' }),
    tags: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: maxTagsOfFilter,
      description:
        'Ids; a contact has all of them. One that is deleted is taken out, one that is merged becomes the other.',
    }),
  }),
  { additionalProperties: false, minProperties: 1 },
)
export type ViewFilter = Static<typeof ViewFilter>

export const SavedView = Type.Object({
  id: Type.String(),
  name: Type.String(),
  filter: ViewFilter,
  shared: Type.Boolean({ description: 'Everybody has it; otherwise only who saved it.' }),
  own: Type.Boolean({ description: 'The caller saved it.' }),
})
export type SavedView = Static<typeof SavedView>

const Name = Type.String({ minLength: 1, maxLength: viewNameMaxChars })
const Shared = Type.Boolean({ description: 'For everybody; without it, for the caller alone.' })
const OfView = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })

export const savedViewsApi = {
  listViews: endpoint({
    method: 'GET',
    path: '/whatsapp/views',
    access: 'chat:read',
    reply: Type.Object({ items: Type.Array(SavedView) }),
    summary: "The shared views of the conversations and the caller's own, by name.",
  }),
  countViews: endpoint({
    method: 'GET',
    path: '/whatsapp/views/counts',
    access: 'chat:read',
    reply: Type.Object({
      items: Type.Array(
        Type.Object({ id: Type.String({ description: 'Id of the view.' }), ...ListPartCount.properties }),
        {
          maxItems: maxShownViews,
        },
      ),
    }),
    summary: `How many conversations each of the caller's first ${maxShownViews} views lists, counted up to ${maxOfListPart}.`,
  }),
  createView: endpoint({
    method: 'POST',
    path: '/whatsapp/views',
    access: 'chat:read',
    body: Type.Object(
      { name: Name, filter: ViewFilter, shared: Type.Optional(Shared) },
      { additionalProperties: false },
    ),
    reply: SavedView,
    status: 201,
    idempotent: true,
    refuses: [409],
    summary: 'Saves a view of the conversations, for the caller or, with the right to answer, for everybody.',
  }),
  changeView: endpoint({
    method: 'PATCH',
    path: '/whatsapp/views/:id',
    access: 'chat:read',
    params: OfView,
    body: Type.Partial(Type.Object({ name: Name, filter: ViewFilter, shared: Shared }), {
      additionalProperties: false,
      minProperties: 1,
    }),
    reply: SavedView,
    refuses: [404, 409],
    summary: "Changes a saved view: the caller's own, or any shared one as owner or admin.",
  }),
  deleteView: endpoint({
    method: 'DELETE',
    path: '/whatsapp/views/:id',
    access: 'chat:read',
    params: OfView,
    reply: Done,
    refuses: [404],
    summary: "Deletes a saved view: the caller's own, or any shared one as owner or admin.",
  }),
} as const
