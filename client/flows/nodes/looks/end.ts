import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'end'> = {
  icon: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9 9h6v6H9Z',
  tone: 'ends',
}
export default look
