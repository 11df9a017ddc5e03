import type { NodeOf } from '#shared/flows/graph.ts'
import { useEditorActions } from '../editor/editor-context.ts'
import { TemplateFields } from '../forms/template-fields.tsx'

export default function TemplateForm({ node }: { readonly node: NodeOf<'template'> }) {
  const { changeNode } = useEditorActions()
  return (
    <TemplateFields
      nodeId={node.id}
      choice={node}
      field="template"
      below="values"
      onChange={({ template, language, values }, key) => changeNode(node.id, { template, language, values }, key)}
    />
  )
}
