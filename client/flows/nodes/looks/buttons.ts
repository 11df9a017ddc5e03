import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'buttons'> = {
  icon: 'M6 4h12a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2ZM6 14h12a2 2 0 0 1 2 2v2a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-2a2 2 0 0 1 2-2Z',
  tone: 'asks',
  says: ({ text }) => text,
}
export default look
