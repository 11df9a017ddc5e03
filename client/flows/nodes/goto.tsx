import { useTranslation } from 'react-i18next'
import type { NodeOf } from '#shared/flows/graph.ts'
import { useEditorActions } from '../editor/editor-context.ts'
import { SelectField, useFieldProblem } from '../forms/fields.tsx'
import type { NodeFormProps } from './forms.ts'

export default function GotoForm({ node, graph, nameOf }: NodeFormProps<NodeOf<'goto'>>) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const targets = graph.nodes.filter(({ type }) => type !== 'goto')
  const isGone = node.nodeId && !targets.some(({ id }) => id === node.nodeId)
  return (
    <SelectField
      label={t('field.goesTo')}
      value={node.nodeId}
      fault={useFieldProblem({ nodeId: node.id }, 'nodeId')}
      onChange={nodeId => changeNode(node.id, { nodeId })}
    >
      {node.nodeId ? null : <option value="">{t('field.choose')}</option>}
      {isGone ? <option value={node.nodeId}>{t('field.gone')}</option> : null}
      {targets.map(one => (
        <option key={one.id} value={one.id} dir="auto">
          {nameOf(one)}
        </option>
      ))}
    </SelectField>
  )
}
