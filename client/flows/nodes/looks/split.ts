import type { NodeLook } from '#client/flows/nodes/look.ts'
import { outputLabel } from '#client/flows/words.ts'

const look: NodeLook<'split'> = {
  icon: 'M4 12h4l8-6h4m-3-3 3 3-3 3M8 12l8 6h4m-3-3 3 3-3 3',
  tone: 'decides',
  says: (node, t) =>
    node.branches
      .map(({ id, weight }) => t('split.share', { name: outputLabel(t, node, id), percent: weight }))
      .join(' · '),
}
export default look
