import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditorActions, useEditorFacts } from '#client/flows/editor/editor-context.ts'
import { newPartId } from '#client/flows/editor/part-id.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import {
  type AnswerKind,
  answerKinds,
  type FlowMedia,
  flowLimits,
  flowMediaKinds,
  type NodeOf,
} from '#shared/flows/graph.ts'
import { captionMaxChars } from '#shared/media/sent-files.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import { LineField, SelectField, useFieldProblem } from './fields.tsx'
import { FallbackFields } from './template-form.tsx'
import { TextField } from './text-field.tsx'
import { TimeoutField } from './timeout-field.tsx'
import { VariableField } from './variable-field.tsx'

const pauses = [0, 1000, 2000, 3000, 5000, 8000, 15_000]

/** A picture, a film, sound or a document that goes along, from a public address. */
function MediaFields({ node }: { readonly node: NodeOf<'message'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { id, media } = node
  const fault = useFieldProblem({ nodeId: id }, 'media')
  const kinds = useMemo(
    () => [
      <option key="" value="">
        {t('media.none')}
      </option>,
      ...flowMediaKinds.map(kind => (
        <option key={kind} value={kind}>
          {t(`media.${kind}`)}
        </option>
      )),
    ],
    [t],
  )
  const change = (part: Partial<FlowMedia>, field: string) =>
    media && changeNode(id, { media: { ...media, ...part } }, `${id}.media.${field}`)
  return (
    <>
      <SelectField
        label={t('field.media')}
        value={media?.kind ?? ''}
        onChange={kind =>
          changeNode(id, { media: kind ? { url: '', ...media, kind: kind as FlowMedia['kind'] } : undefined })
        }
      >
        {kinds}
      </SelectField>
      {media ? (
        <LineField
          label={t('field.mediaUrl')}
          hint={t('field.mediaUrlHint')}
          value={media.url}
          maxLength={flowLimits.url}
          isCode
          placeholder="https://"
          fault={fault}
          onChange={url => change({ url: url.trim() }, 'url')}
        />
      ) : null}
      {media?.kind === 'document' ? (
        <LineField
          label={t('field.mediaName')}
          value={media.name ?? ''}
          maxLength={240}
          onChange={name => change({ name }, 'name')}
        />
      ) : null}
    </>
  )
}

export function MessageForm({ node }: { readonly node: NodeOf<'message'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const typings = useMemo(
    () =>
      pauses.map(ms => (
        <option key={ms} value={ms} dir="auto">
          {ms ? t('field.seconds', { count: ms / 1000 }) : t('field.noTyping')}
        </option>
      )),
    [t],
  )
  return (
    <>
      <TextField
        label={t('field.text')}
        value={node.text}
        max={node.media ? captionMaxChars : outboundLimits.text}
        fault={useFieldProblem({ nodeId: node.id }, 'text')}
        onChange={text => changeNode(node.id, { text }, `${node.id}.text`)}
      />
      <MediaFields node={node} />
      <SelectField
        label={t('field.typing')}
        hint={t('field.typingHint')}
        value={String(node.typingMs ?? 0)}
        onChange={ms => changeNode(node.id, { typingMs: Number(ms) || undefined })}
      >
        {typings}
      </SelectField>
      <FallbackFields node={node} />
    </>
  )
}

export function QuestionForm({ node }: { readonly node: NodeOf<'question'> }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const { id } = node
  const patternFault = useFieldProblem({ nodeId: id }, 'pattern')
  const answers = useMemo(
    () =>
      answerKinds.map(one => (
        <option key={one} value={one}>
          {t(`answer.${one}`)}
        </option>
      )),
    [t],
  )
  const attempts = useMemo(
    () =>
      Array.from({ length: flowLimits.attempts }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number is what it is
        <option key={i} value={i + 1}>
          {t('field.times', { count: i + 1 })}
        </option>
      )),
    [t],
  )
  return (
    <>
      <TextField
        label={t('field.question')}
        value={node.text}
        max={outboundLimits.text}
        fault={useFieldProblem({ nodeId: id }, 'text')}
        onChange={text => changeNode(id, { text }, `${id}.text`)}
      />
      <SelectField
        label={t('field.answer')}
        value={node.answer}
        onChange={value => changeNode(id, { answer: value as AnswerKind })}
      >
        {answers}
      </SelectField>
      {node.answer === 'pattern' ? (
        <LineField
          label={t('field.pattern')}
          value={node.pattern ?? ''}
          maxLength={200}
          isCode
          hint={t('field.patternHint')}
          fault={patternFault}
          onChange={pattern => changeNode(id, { pattern: pattern || undefined }, `${id}.pattern`)}
        />
      ) : null}
      <VariableField
        label={t('field.savesTo')}
        nodeId={id}
        value={node.variable}
        onChange={variable => changeNode(id, { variable }, `${id}.variable`)}
      />
      <TextField
        label={t('field.retry')}
        hint={t('field.retryHint')}
        value={node.retryText ?? ''}
        max={outboundLimits.text}
        rows={2}
        fault={useFieldProblem({ nodeId: id }, 'retryText')}
        onChange={retryText => changeNode(id, { retryText: retryText || undefined }, `${id}.retryText`)}
      />
      <SelectField
        label={t('field.attempts')}
        value={String(node.attempts)}
        onChange={value => changeNode(id, { attempts: Number(value) })}
      >
        {attempts}
      </SelectField>
      <TimeoutField value={node.timeoutMinutes} onChange={timeoutMinutes => changeNode(id, { timeoutMinutes })} />
      <FallbackFields node={node} />
    </>
  )
}

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

export function ButtonsForm({ node }: { readonly node: NodeOf<'buttons'> }) {
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
      <TimeoutField value={node.timeoutMinutes} onChange={timeoutMinutes => changeNode(id, { timeoutMinutes })} />
      <FallbackFields node={node} />
    </>
  )
}
