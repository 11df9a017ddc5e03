import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'close'> = {
  icon: 'M4 8h16v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1ZM3 4h18v4H3ZM10 12h4',
  tone: 'ends',
}
export default look
