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
  icon: 'M4 5a1 1 0 0 1 1-1h7l8 8-8 8-8-8ZM8 8.200v.2',
  tone: 'decides',
  summary: ({ action, tagId }, t, names) => t(`says.tag.${action}`, { tag: names.tags.get(tagId) ?? '…' }),
  defaults: { action: 'add', tagId: '' },
  problems: ({ tagId }, { facts }) => (facts.tagIds.includes(tagId) ? [] : [{ field: 'tagId', code: 'tagUnknown' }]),
  uses: () => ({ facts: ['tags'] }),
}
