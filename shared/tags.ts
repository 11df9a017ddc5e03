import { type Static, Type } from 'typebox'
import { endpoint } from './contract.ts'
import { Done } from './inbox.ts'

/** So many tags an organization may have. */
export const maxTags = 500
/** And so many of them one contact. */
export const maxTagsOfContact = 30
export const tagLabelMaxChars = 40

export const TagId = Type.String({ minLength: 1, maxLength: 64 })

export const Tag = Type.Object({ id: Type.String(), label: Type.String() })
export type Tag = Static<typeof Tag>

const TagUsage = Type.Object({
  id: Type.String(),
  label: Type.String(),
  contacts: Type.Integer({ minimum: 0, description: 'Contacts that carry it.' }),
  roles: Type.Array(Type.String(), { description: 'Roles that have its content.' }),
})
export type TagUsage = Static<typeof TagUsage>

const TagParams = Type.Object({ id: TagId }, { additionalProperties: false })
const TagBody = Type.Object(
  {
    label: Type.String({
      minLength: 1,
      maxLength: tagLabelMaxChars,
      description: 'Unlike any other, whatever the case and the accents.',
    }),
  },
  { additionalProperties: false },
)

/** What contacts are sorted by. Putting one on a contact is the inbox's: `inbox.tagChat`. */
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
  createTag: endpoint({
    method: 'POST',
    path: '/whatsapp/tags',
    access: 'chat:reply',
    body: TagBody,
    reply: Tag,
    status: 201,
    idempotent: true,
    refuses: [409],
    summary: 'Creates a tag.',
  }),
  renameTag: endpoint({
    method: 'PATCH',
    path: '/whatsapp/tags/:id',
    access: 'member:manage',
    params: TagParams,
    body: TagBody,
    reply: Tag,
    refuses: [404, 409],
    summary: 'Gives a tag another label, on all its contacts.',
  }),
  deleteTag: endpoint({
    method: 'DELETE',
    path: '/whatsapp/tags/:id',
    access: 'member:manage',
    params: TagParams,
    reply: Done,
    refuses: [404],
    summary: 'Deletes a tag: its contacts stay without it, and no role has its content any more.',
  }),
} as const
