import type { NodeLook } from '#client/flows/nodes/look.ts'
import { templateText } from '#client/flows/words.ts'

const look: NodeLook<'template'> = {
  icon: 'M6 3.500h9l4 4V20a.5.5 0 0 1-.5.5h-12.500A.5.5 0 0 1 5.500 20V4a.5.5 0 0 1 .5-.5ZM15 3.500v4h4M8.500 12h7M8.500 15.500h5',
  says: ({ template }) => template,
  reads: (node, names) => templateText(node, names),
}
export default look
