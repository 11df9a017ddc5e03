import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'
import { flowLimits } from '#shared/flows/limits.ts'
import { asksPattern, type FlowRule } from '#shared/flows/nodes/condition.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { LineField, SelectField, useFieldProblem } from '../forms/fields.tsx'
import { TagOptions } from '../forms/tag-options.tsx'

const lefts = ['variable', 'tag', 'hours', 'window'] as const
const variableTests = [
  'equals',
  'notEquals',
  'contains',
  'notContains',
  'startsWith',
  'endsWith',
  'greater',
  'greaterOrEqual',
  'less',
  'lessOrEqual',
  'fitsPattern',
  'notFitsPattern',
  'isSet',
  'isEmpty',
] as const

const newRule = (left: FlowRule['left'], names: readonly string[]): FlowRule => {
  switch (left) {
    case 'variable':
      return { left, name: names.find(name => name.startsWith('flujo.')) ?? names[0] ?? '', op: 'equals', value: '' }
    case 'tag':
      return { left, op: 'has', tagId: '' }
    case 'hours':
      return { left, op: 'inside' }
    case 'window':
      return { left, op: 'open' }
  }
}
const testsOf = (rule: FlowRule): readonly FlowRule['op'][] => {
  if (rule.left === 'variable') return variableTests
  if (rule.left === 'tag') return ['has', 'hasNot']
  return rule.left === 'hours' ? ['inside', 'outside'] : ['open', 'closed']
}

interface RuleFieldsProps {
  readonly node: NodeOf<'condition'>
  readonly rule: FlowRule
  readonly place: number
}

function RuleFields({ node, rule, place }: RuleFieldsProps) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { variables, isReadOnly } = useEditorFacts()
  const fault = useFieldProblem({ nodeId: node.id }, `rules.${place}`)
  const change = (next: FlowRule, key?: string) =>
    changeNode(
      node.id,
      { rules: node.rules.map((one, i) => (i === place ? next : one)) },
      key && `${node.id}.${place}.${key}`,
    )
  const names = rule.left === 'variable' && !variables.includes(rule.name) ? [rule.name, ...variables] : variables
  return (
    <li className="flow-rule">
      <div className="flow-rule-head">
        <b>{t('rule.number', { number: place + 1 })}</b>
        {isReadOnly ? null : (
          <button
            type="button"
            className="icon-button"
            aria-label={t('rule.remove', { number: place + 1 })}
            data-tip={t('rule.remove', { number: place + 1 })}
            onClick={() => changeNode(node.id, { rules: node.rules.filter((_, i) => i !== place) })}
          >
            <Icon name="trash" />
          </button>
        )}
      </div>
      <SelectField
        label={t('rule.left')}
        value={rule.left}
        onChange={left => change(newRule(left as FlowRule['left'], variables))}
      >
        {lefts.map(left => (
          <option key={left} value={left}>
            {t(`rule.of.${left}`)}
          </option>
        ))}
      </SelectField>
      {rule.left === 'variable' ? (
        <SelectField label={t('rule.variable')} value={rule.name} onChange={name => change({ ...rule, name })}>
          {names.map(name => (
            <option key={name} value={name} dir="auto">
              {name || '…'}
            </option>
          ))}
        </SelectField>
      ) : null}
      <SelectField
        label={t('rule.op')}
        value={rule.op}
        fault={rule.left === 'variable' && rule.op !== 'isSet' && rule.op !== 'isEmpty' ? undefined : fault}
        onChange={op => change({ ...rule, op } as FlowRule)}
      >
        {testsOf(rule).map(op => (
          <option key={op} value={op}>
            {t(`rule.test.${op}`)}
          </option>
        ))}
      </SelectField>
      {rule.left === 'variable' && rule.op !== 'isSet' && rule.op !== 'isEmpty' ? (
        <LineField
          label={t(asksPattern(rule) ? 'field.pattern' : 'rule.value')}
          value={rule.value ?? ''}
          maxLength={asksPattern(rule) ? flowLimits.patternChars : 1000}
          isCode={asksPattern(rule)}
          {...(asksPattern(rule) ? { hint: t('field.patternHint') } : {})}
          fault={fault}
          onChange={value => change({ ...rule, value }, 'value')}
        />
      ) : null}
      {rule.left === 'tag' ? (
        <SelectField label={t('field.tag')} value={rule.tagId} onChange={tagId => change({ ...rule, tagId })}>
          <TagOptions chosen={rule.tagId} />
        </SelectField>
      ) : null}
      {rule.left === 'hours' ? <p className="field-hint">{t('trigger.hoursHint')}</p> : null}
    </li>
  )
}

export default function ConditionForm({ node }: { readonly node: NodeOf<'condition'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { variables, isReadOnly } = useEditorFacts()
  const fault = useFieldProblem({ nodeId: node.id }, 'rules')
  const add = () =>
    changeNode(node.id, {
      rules: [
        ...node.rules,
        newRule(variables.some(name => name.startsWith('flujo.')) ? 'variable' : 'hours', variables),
      ],
    })
  return (
    <>
      {node.rules.length > 1 ? (
        <SelectField
          label={t('rule.all')}
          value={node.all ? 'all' : 'any'}
          onChange={value => changeNode(node.id, { all: value === 'all' })}
        >
          <option value="all">{t('rule.allHold')}</option>
          <option value="any">{t('rule.anyHolds')}</option>
        </SelectField>
      ) : null}
      <ul className="flow-rules">
        {node.rules.map((rule, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the place is what a rule is known by
          <RuleFields key={place} node={node} rule={rule} place={place} />
        ))}
      </ul>
      {fault ? <Fault>{fault}</Fault> : null}
      {isReadOnly || node.rules.length >= flowLimits.rules ? null : (
        <button type="button" className="link" onClick={add}>
          <Icon name="plus" />
          {t('rule.add')}
        </button>
      )}
    </>
  )
}
