import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'start'> = {
  icon: 'M8 5.5v13L18.500 12Z',
}
export default look
