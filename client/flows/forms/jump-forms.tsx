import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useEditorActions, useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { useOrg } from '#client/shell/viewer.ts'
import type { FlowGraph, NodeOf } from '#shared/flows/graph.ts'
import { paths } from '#shared/kernel/paths.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { CheckField, SelectField, useFieldProblem } from './fields.tsx'
import { StepOption } from './step-option.tsx'
import { TextField } from './text-field.tsx'

export function GotoForm({ node, graph }: { readonly node: NodeOf<'goto'>; readonly graph: FlowGraph }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { names } = useEditorFacts()
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
        <StepOption key={one.id} value={one.id} node={one} names={names} t={t} />
      ))}
    </SelectField>
  )
}

export function SubflowForm({ node }: { readonly node: NodeOf<'subflow'> }) {
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

const assigneeOf = ({ teamId, memberId }: NodeOf<'handoff'>): string =>
  memberId ? `member:${memberId}` : teamId ? `team:${teamId}` : ''

export function HandoffForm({ node }: { readonly node: NodeOf<'handoff'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { names } = useEditorFacts()
  const chosen = assigneeOf(node)
  const teamFault = useFieldProblem({ nodeId: node.id }, 'teamId')
  const memberFault = useFieldProblem({ nodeId: node.id }, 'memberId')
  const assign = (value: string) => {
    const [kind, id] = [value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1)]
    changeNode(node.id, {
      teamId: kind === 'team' ? id : undefined,
      memberId: kind === 'member' ? id : undefined,
    })
  }
  const isGone =
    chosen && !(node.memberId ? names.members.has(node.memberId) : node.teamId && names.teams.has(node.teamId))
  return (
    <>
      <SelectField label={t('field.assignee')} value={chosen} fault={teamFault ?? memberFault} onChange={assign}>
        <option value="">{t('field.anybody')}</option>
        {isGone ? <option value={chosen}>{t('field.gone')}</option> : null}
        {names.teams.size ? (
          <optgroup label={t('field.teams')}>
            {[...names.teams].map(([id, name]) => (
              <option key={id} value={`team:${id}`} dir="auto">
                {name}
              </option>
            ))}
          </optgroup>
        ) : null}
        <optgroup label={t('field.members')}>
          {[...names.members].map(([id, name]) => (
            <option key={id} value={`member:${id}`} dir="auto">
              {name}
            </option>
          ))}
        </optgroup>
      </SelectField>
      <TextField
        label={t('field.handoffText')}
        hint={t('field.optional')}
        value={node.text ?? ''}
        max={outboundLimits.text}
        rows={3}
        fault={useFieldProblem({ nodeId: node.id }, 'text')}
        onChange={text => changeNode(node.id, { text: text || undefined }, `${node.id}.text`)}
      />
      <TextField
        label={t('field.note')}
        hint={t('field.noteHint')}
        value={node.note ?? ''}
        max={1000}
        rows={3}
        fault={useFieldProblem({ nodeId: node.id }, 'note')}
        onChange={note => changeNode(node.id, { note: note || undefined }, `${node.id}.note`)}
      />
      <CheckField
        label={t('field.branchHours')}
        checked={node.hours ?? false}
        onChange={hours => changeNode(node.id, { hours: hours || undefined })}
      />
    </>
  )
}
