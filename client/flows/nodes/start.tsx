import { useNow } from '../editor/editor-context.ts'
import { TriggersForm } from '../forms/triggers-form.tsx'

/** The flow's triggers are the content of its start. */
export default function StartForm() {
  return <TriggersForm triggers={useNow(({ triggers }) => triggers)} />
}
