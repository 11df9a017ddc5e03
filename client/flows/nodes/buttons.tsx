import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { newPartId } from '../editor/draft/part-id.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { LineField, useFieldProblem } from '../forms/fields.tsx'
import { FallbackFields } from '../forms/template-fields.tsx'
import { TextField } from '../forms/text-field.tsx'
import { TimeoutField } from '../forms/timeout-field.tsx'
import { VariableField } from '../forms/variable-field.tsx'

type FlowOption = NodeOf<'buttons'>['options'][number]

interface OptionFieldsProps {
  readonly node: NodeOf<'buttons'>
  readonly option: FlowOption
  readonly place: number
}

function OptionFields({ node, option, place }: OptionFieldsProps) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const { id, options } = node
  const isList = options.length > outboundLimits.buttons
  const fault = useFieldProblem({ nodeId: id }, `options.${option.id}`)
  const change = (part: Partial<FlowOption>) =>
    changeNode(
      id,
      { options: options.map(one => (one.id === option.id ? { ...one, ...part } : one)) },
      `${id}.${option.id}.${Object.keys(part)}`,
    )
  const moveTo = (to: number) => {
    const rest = options.filter(one => one.id !== option.id)
    changeNode(id, { options: [...rest.slice(0, to), option, ...rest.slice(to)] })
  }
  const label = t('field.option', { number: place + 1 })
  return (
    <li className="flow-option">
      <LineField
        label={label}
        value={option.title}
        max={isList ? outboundLimits.rowTitle : outboundLimits.buttonTitle}
        maxLength={80}
        fault={fault}
        onChange={title => change({ title })}
      />
      {isReadOnly ? null : (
        <div className="flow-option-tools">
          <button
            type="button"
            className="icon-button"
            disabled={place === 0}
            aria-label={t('option.up', { option: label })}
            data-tip={t('option.up', { option: label })}
            onClick={() => moveTo(place - 1)}
          >
            <Icon name="chevron" />
          </button>
          <button
            type="button"
            className="icon-button"
            disabled={place === options.length - 1}
            aria-label={t('option.down', { option: label })}
            data-tip={t('option.down', { option: label })}
            onClick={() => moveTo(place + 1)}
          >
            <Icon name="chevron" />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('option.remove', { option: label })}
            data-tip={t('option.remove', { option: label })}
            onClick={() => changeNode(id, { options: options.filter(one => one.id !== option.id) })}
          >
            <Icon name="trash" />
          </button>
        </div>
      )}
      {isList ? (
        <LineField
          label={t('field.description')}
          value={option.description ?? ''}
          max={outboundLimits.rowDescription}
          maxLength={200}
          onChange={description => change({ description })}
        />
      ) : null}
    </li>
  )
}

export default function ButtonsForm({ node }: { readonly node: NodeOf<'buttons'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { isReadOnly } = useEditorFacts()
  const headId = useId()
  const { id, options } = node
  const isList = options.length > outboundLimits.buttons
  const optionsFault = useFieldProblem({ nodeId: id }, 'options')
  const labelFault = useFieldProblem({ nodeId: id }, 'listLabel')
  return (
    <>
      <TextField
        label={t('field.text')}
        value={node.text}
        max={isList ? outboundLimits.listBody : outboundLimits.interactiveBody}
        fault={useFieldProblem({ nodeId: id }, 'text')}
        onChange={text => changeNode(id, { text }, `${id}.text`)}
      />
      <section className="flow-options" aria-labelledby={headId}>
        <h3 id={headId}>{t('field.options')}</h3>
        <p className="field-hint">{t(isList ? 'field.asList' : 'field.asButtons')}</p>
        <ul>
          {options.map((option, place) => (
            <OptionFields key={option.id} node={node} option={option} place={place} />
          ))}
        </ul>
        {optionsFault ? <Fault>{optionsFault}</Fault> : null}
        {isReadOnly || options.length >= outboundLimits.rows ? null : (
          <button
            type="button"
            className="link"
            onClick={() => changeNode(id, { options: [...options, { id: newPartId(), title: '' }] })}
          >
            <Icon name="plus" />
            {t('option.add')}
          </button>
        )}
      </section>
      {isList ? (
        <LineField
          label={t('field.listLabel')}
          value={node.listLabel ?? ''}
          max={outboundLimits.buttonTitle}
          maxLength={80}
          fault={labelFault}
          onChange={listLabel => changeNode(id, { listLabel: listLabel || undefined }, `${id}.listLabel`)}
        />
      ) : null}
      <VariableField
        label={t('field.savesChoiceTo')}
        nodeId={id}
        value={node.variable ?? ''}
        onChange={variable => changeNode(id, { variable: variable || undefined }, `${id}.variable`)}
      />
      <TimeoutField value={node.timeoutMs} onChange={timeoutMs => changeNode(id, { timeoutMs })} />
      <FallbackFields node={node} />
    </>
  )
}
