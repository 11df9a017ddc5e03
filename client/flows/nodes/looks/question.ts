import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'question'> = {
  icon: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9.500 9.500a2.5 2.5 0 1 1 3.600 2.200c-.8.400-1.100.9-1.100 1.800M12 16.500v.2',
  tone: 'asks',
  says: ({ text }) => text,
}
export default look
