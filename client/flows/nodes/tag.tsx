import { useTranslation } from 'react-i18next'
import { useEditorActions } from '#client/flows/editor/editor-context.ts'
import { SelectField, useFieldProblem } from '#client/flows/forms/fields.tsx'
import { TagOptions } from '#client/flows/forms/tag-options.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'

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
