import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { fold } from '#shared/kernel/fold.ts'
import { Done } from '#shared/kernel/list.ts'

/** Tags per organization. */
export const maxTags = 500
/** Tags per contact. */
export const maxTagsOfContact = 30
export const tagLabelMaxChars = 40
/** Larger counts in lists are not exact. */
export const maxTaggedCounted = 1000
/** The number of tag colours. A colour is an index from 0. */
export const tagHues = 8

export const TagId = Type.String({ minLength: 1, maxLength: 64, description: 'Id of a tag.' })

const Hue = Type.Integer({
  minimum: 0,
  maximum: tagHues - 1,
  description: 'The colour: index of one of the eight hues of the palette.',
})

export const Tag = Type.Object({ id: Type.String(), label: Type.String(), hue: Hue })
export type Tag = Static<typeof Tag>

/** Sorts tags, ignoring accents and case. */
export const byLabel = (a: { label: string }, b: { label: string }): number => {
  const [x, y] = [fold(a.label), fold(b.label)]
  return x < y ? -1 : x > y ? 1 : 0
}

const TagUsage = Type.Object({
  id: Type.String(),
  label: Type.String(),
  hue: Hue,
  contacts: Type.Integer({ minimum: 0, description: 'Contacts that carry it.' }),
  roles: Type.Array(Type.String(), { description: 'Roles that have its content.' }),
})

const TagParams = Type.Object({ id: TagId }, { additionalProperties: false })
const Label = Type.String({
  minLength: 1,
  maxLength: tagLabelMaxChars,
  description: 'Must be unique, ignoring case and accents.',
})
const NewTag = Type.Object({ label: Label, hue: Type.Optional(Hue) }, { additionalProperties: false })
const TagChange = Type.Object(
  { label: Type.Optional(Label), hue: Type.Optional(Hue) },
  { additionalProperties: false, minProperties: 1 },
)

/** Tags of contacts. `inbox.tagChat` adds one to a contact. */
export const tagsApi = {
  listTags: endpoint({
    method: 'GET',
    path: '/whatsapp/all-tags',
    access: 'chat:read',
    sameFor: 'organization',
    reply: Type.Object({ items: Type.Array(Tag) }),
    summary: "The organization's tags, by label.",
  }),
  getTagUsage: endpoint({
    method: 'GET',
    path: '/whatsapp/tags/:id',
    access: 'member:manage',
    params: TagParams,
    reply: TagUsage,
    refuses: [404],
    summary: 'A tag with what deleting it would affect.',
  }),
  countTags: endpoint({
    method: 'GET',
    path: '/whatsapp/tag-counts',
    access: 'member:manage',
    sameFor: 'organization',
    reply: Type.Object({
      items: Type.Array(
        Type.Object({
          tagId: Type.String(),
          contacts: Type.Integer({ minimum: 0, maximum: maxTaggedCounted }),
        }),
      ),
    }),
    summary: `How many contacts have each tag, counted up to ${maxTaggedCounted}.`,
  }),
  createTag: endpoint({
    method: 'POST',
    path: '/whatsapp/tags',
    access: 'chat:reply',
    body: NewTag,
    reply: Tag,
    status: 201,
    idempotent: true,
    refuses: [409],
    summary: 'Creates a tag. Without a colour, it gets the least used one.',
  }),
  changeTag: endpoint({
    method: 'PATCH',
    path: '/whatsapp/tags/:id',
    access: 'member:manage',
    params: TagParams,
    body: TagChange,
    reply: Tag,
    refuses: [404, 409],
    summary: 'Gives a tag another label or colour, on all its contacts.',
  }),
  mergeTag: endpoint({
    method: 'POST',
    path: '/whatsapp/tags/:id/merge',
    access: 'member:manage',
    params: TagParams,
    body: Type.Object({ into: TagId }, { additionalProperties: false }),
    reply: Tag,
    refuses: [404],
    summary:
      'Merges a tag into another: its contacts get the other tag, and it is deleted. Roles gain no rights by it.',
  }),
  deleteTag: endpoint({
    method: 'DELETE',
    path: '/whatsapp/tags/:id',
    access: 'member:manage',
    params: TagParams,
    reply: Done,
    refuses: [404],
    summary: 'Deletes a tag. Contacts lose it, and so do the roles that see its content.',
  }),
} as const
