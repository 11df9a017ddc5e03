import { useTranslation } from 'react-i18next'
import type { NodeOf } from '#shared/flows/graph.ts'
import { useEditorActions } from '../editor/editor-context.ts'
import { SelectField, useFieldProblem } from '../forms/fields.tsx'
import { TagOptions } from '../forms/tag-options.tsx'

export default function TagForm({ node }: { readonly node: NodeOf<'tag'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const fault = useFieldProblem({ nodeId: node.id }, 'tagId')
  return (
    <>
      <SelectField
        label={t('field.tagAction')}
        value={node.action}
        onChange={action => changeNode(node.id, { action: action as 'add' | 'remove' })}
      >
        <option value="add">{t('tagAction.add')}</option>
        <option value="remove">{t('tagAction.remove')}</option>
      </SelectField>
      <SelectField
        label={t('field.tag')}
        value={node.tagId}
        fault={fault}
        onChange={tagId => changeNode(node.id, { tagId })}
      >
        <TagOptions chosen={node.tagId} />
      </SelectField>
    </>
  )
}
