import { Type } from 'typebox'
import { type ContentOf, Reference } from './fields.ts'
import type { NodeKind } from './kind.ts'

export const tagFields = {
  action: Type.Optional(Type.Enum(['add', 'remove'])),
  tagId: Type.Optional(Reference),
}
type TagChange = ContentOf<typeof tagFields, 'action' | 'tagId'>

/** Adds a tag to the contact, or removes it. */
export const tag: NodeKind<TagChange> = {
  defaults: { action: 'add', tagId: '' },
  problems: ({ tagId }, { facts }) => (facts.tagIds.includes(tagId) ? [] : [{ field: 'tagId', code: 'tagUnknown' }]),
  uses: () => ({ facts: ['tags'] }),
}
