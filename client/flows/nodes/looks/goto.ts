import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'goto'> = {
  icon: 'M5 5v8a3 3 0 0 0 3 3h11m-4-4 4 4-4 4',
  tone: 'decides',
}
export default look
