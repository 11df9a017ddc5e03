import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'message'> = {
  icon: 'M21 12a8 8 0 0 1-11.6 7.100L4 20l1-4.600A8 8 0 1 1 21 12Z',
  says: ({ text, media }, t) => text || (media ? t(`media.${media.kind}`) : ''),
}
export default look
