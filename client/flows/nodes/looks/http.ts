import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'http'> = {
  icon: 'M7 8a5 5 0 0 1 9.600-1.500A4.500 4.500 0 0 1 17.500 15.500M7 8a4 4 0 0 0-.5 7.900M12 12v9m-3-3 3 3 3-3',
  tone: 'decides',
  says: ({ method, url }) => (url ? `${method} ${url}` : ''),
}
export default look
