import { useNow } from '#client/flows/editor/editor-context.ts'
import { TriggersForm } from '#client/flows/forms/triggers-form.tsx'
import type { NodeLook } from './look.ts'

/** What starts the flow: the start's own content. */
const StartForm = () => <TriggersForm triggers={useNow(({ triggers }) => triggers)} />

const look: NodeLook<'start'> = {
  icon: 'M8 5.5v13L18.500 12Z',
  Form: StartForm,
}
export default look
