import { useTranslation } from 'react-i18next'
import type { NodeOf } from '#shared/flows/graph.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { CheckField, SelectField, useFieldProblem } from '../forms/fields.tsx'
import { TextField } from '../forms/text-field.tsx'

const assigneeOf = ({ teamId, userId }: NodeOf<'handoff'>): string =>
  userId ? `member:${userId}` : teamId ? `team:${teamId}` : ''

export default function HandoffForm({ node }: { readonly node: NodeOf<'handoff'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { names } = useEditorFacts()
  const chosen = assigneeOf(node)
  const teamFault = useFieldProblem({ nodeId: node.id }, 'teamId')
  const memberFault = useFieldProblem({ nodeId: node.id }, 'userId')
  const assign = (value: string) => {
    const [kind, id] = [value.slice(0, value.indexOf(':')), value.slice(value.indexOf(':') + 1)]
    changeNode(node.id, {
      teamId: kind === 'team' ? id : undefined,
      userId: kind === 'member' ? id : undefined,
    })
  }
  const isGone = chosen && !(node.userId ? names.members.has(node.userId) : node.teamId && names.teams.has(node.teamId))
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
        value={node.message ?? ''}
        max={outboundLimits.text}
        rows={3}
        fault={useFieldProblem({ nodeId: node.id }, 'message')}
        onChange={message => changeNode(node.id, { message: message || undefined }, `${node.id}.message`)}
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
