import { useTranslation } from 'react-i18next'
import { useEditorActions, useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { formulaFunctions } from '#shared/flows/formula.ts'
import { formulaMaxChars } from '#shared/flows/formula-parse.ts'
import { type FlowRule, flowLimits, type NodeOf } from '#shared/flows/graph.ts'
import { asksPattern } from '#shared/flows/patterns.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { LineField, NumberField, SelectField, useFieldProblem } from './fields.tsx'
import { TagOptions } from './tag-options.tsx'
import { TextField } from './text-field.tsx'
import { VariableField } from './variable-field.tsx'

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
const keptAs = ['variable', 'formula', 'name', 'note'] as const
type KeptAs = (typeof keptAs)[number]
const keptAsOf = ({ contact, formula }: NodeOf<'set'>): KeptAs => contact ?? (formula ? 'formula' : 'variable')
const waitUnits = ['seconds', 'minutes', 'hours', 'days'] as const
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
          maxLength={asksPattern(rule) ? 200 : 1000}
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

export function ConditionForm({ node }: { readonly node: NodeOf<'condition'> }) {
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

export function SetForm({ node }: { readonly node: NodeOf<'set'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const kept = keptAsOf(node)
  return (
    <>
      <SelectField
        label={t('field.keptAs')}
        value={kept}
        {...(kept === 'variable' ? {} : { hint: t(`keptAs.${kept}Hint`) })}
        onChange={value =>
          changeNode(node.id, {
            contact: value === 'name' || value === 'note' ? value : undefined,
            formula: value === 'formula' ? true : undefined,
          })
        }
      >
        {keptAs.map(one => (
          <option key={one} value={one}>
            {t(`keptAs.${one}`)}
          </option>
        ))}
      </SelectField>
      {node.contact ? null : (
        <VariableField
          label={t('field.variableName')}
          nodeId={node.id}
          value={node.variable}
          onChange={variable => changeNode(node.id, { variable }, `${node.id}.variable`)}
        />
      )}
      <TextField
        label={t(kept === 'formula' ? 'field.formula' : 'field.value')}
        value={node.value}
        max={kept === 'formula' ? formulaMaxChars : outboundLimits.text}
        rows={2}
        {...(kept === 'formula' ? { hint: t('field.formulaHelp', { functions: formulaFunctions.join(', ') }) } : {})}
        fault={useFieldProblem({ nodeId: node.id }, 'value')}
        onChange={value => changeNode(node.id, { value }, `${node.id}.value`)}
      />
    </>
  )
}

export function TagForm({ node }: { readonly node: NodeOf<'tag'> }) {
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

export function WaitForm({ node }: { readonly node: NodeOf<'wait'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  return (
    <>
      <SelectField
        label={t('field.waits')}
        value={node.until === undefined ? 'for' : 'until'}
        onChange={value => changeNode(node.id, { until: value === 'until' ? '09:00' : undefined })}
      >
        <option value="for">{t('waits.for')}</option>
        <option value="until">{t('waits.until')}</option>
      </SelectField>
      {node.until === undefined ? (
        <div className="flow-pair">
          <NumberField
            label={t('field.amount')}
            value={node.amount}
            min={1}
            max={999}
            onChange={amount => changeNode(node.id, { amount }, `${node.id}.amount`)}
          />
          <SelectField
            label={t('field.unit')}
            value={node.unit}
            onChange={unit => changeNode(node.id, { unit: unit as NodeOf<'wait'>['unit'] })}
          >
            {waitUnits.map(unit => (
              <option key={unit} value={unit}>
                {t(`unit.${unit}`)}
              </option>
            ))}
          </SelectField>
        </div>
      ) : (
        <UntilField time={node.until} onChange={until => changeNode(node.id, { until }, `${node.id}.until`)} />
      )}
    </>
  )
}

const UntilField = ({ time, onChange }: { readonly time: string; onChange(time: string): void }) => {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  return (
    <label className="field">
      <span className="field-label">{t('field.until')}</span>
      <input
        type="time"
        value={time}
        readOnly={isReadOnly}
        onChange={({ target }) => target.value && onChange(target.value)}
      />
    </label>
  )
}
