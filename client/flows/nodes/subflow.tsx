import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import { paths } from '#shared/kernel/paths.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { SelectField, useFieldProblem } from '../forms/fields.tsx'

export default function SubflowForm({ node }: { readonly node: NodeOf<'subflow'> }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { changeNode } = useEditorActions()
  const { names, runnable } = useEditorFacts()
  const { id, flowId } = node
  const name = names.flows.get(flowId)
  return (
    <>
      <SelectField
        label={t('field.runs')}
        hint={t('field.runsHint')}
        value={flowId}
        fault={useFieldProblem({ nodeId: id }, 'flowId')}
        onChange={value => changeNode(id, { flowId: value })}
      >
        {flowId ? null : <option value="">{t('field.choose')}</option>}
        {flowId && !runnable.includes(flowId) ? (
          <option value={flowId} dir="auto">
            {name ?? t('field.gone')}
          </option>
        ) : null}
        {runnable.map(one => (
          <option key={one} value={one} dir="auto">
            {names.flows.get(one)}
          </option>
        ))}
      </SelectField>
      {name === undefined ? null : (
        <Link className="link" to={paths.flow(slug, flowId)}>
          {t('field.openFlow', { name })}
        </Link>
      )}
    </>
  )
}
