import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'tag'> = {
  icon: 'M4 5a1 1 0 0 1 1-1h7l8 8-8 8-8-8ZM8 8.200v.2',
  tone: 'decides',
  says: ({ action, tagId }, t, names) => t(`says.tag.${action}`, { tag: names.tags.get(tagId) ?? '…' }),
}
export default look
