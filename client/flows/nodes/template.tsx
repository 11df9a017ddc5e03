import { useEditorActions } from '#client/flows/editor/editor-context.ts'
import { TemplateFields } from '#client/flows/forms/template-fields.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'

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
