import type { NodeLook } from '#client/flows/nodes/look.ts'

const look: NodeLook<'subflow'> = {
  icon: 'M4 4h7v7H4ZM13 13h7v7h-7ZM11 7.500h5.500V13',
  tone: 'decides',
  says: ({ flowId }, _, names) => names.flows.get(flowId) ?? '',
}
export default look
