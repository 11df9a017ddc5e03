import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { HeaderFileField } from '#client/templates/header-file-field.tsx'
import { keptFileOf, shownFiles } from '#client/templates/send-values.ts'
import { TemplateChoices } from '#client/templates/template-choices.tsx'
import { WaMessage } from '#client/templates/wa-message.tsx'
import { LanguageName } from '#client/templates/words.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { NodeOf } from '#shared/flows/graph.ts'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import { type NeededValue, neededValues } from '#shared/flows/templates.ts'
import { outboundLimits } from '#shared/outbound/api.ts'
import type { Template } from '#shared/templates/api.ts'
import type { MediaFormat, TemplateComponent } from '#shared/templates/components.ts'
import { isFileHandle } from '#shared/templates/files.ts'
import { fillVariables } from '#shared/templates/variables.ts'
import { isCodeCategory } from '#shared/templates/words.ts'
import { useEditorActions, useEditorFacts } from '../editor/editor-context.ts'
import { CheckField, useFieldProblem } from './fields.tsx'
import { TextField } from './text-field.tsx'

const fileNameAt = 'header.fileName'
const noTemplate: TemplateChoice = { template: '', language: '', values: {} }

const inPart = (values: TemplateChoice['values'], part: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([at, value]) =>
      at.startsWith(`${part}.`) && value.trim() ? [[at.slice(part.length + 1), value.trim()]] : [],
    ),
  )

/** With the values entered so far; missing ones keep their placeholder. */
const filledIn = (components: readonly TemplateComponent[], { values }: TemplateChoice): TemplateComponent[] =>
  components.map(component => {
    if (component.type === 'BODY' && component.text)
      return { ...component, text: fillVariables(component.text, inPart(values, 'body')) }
    if (component.type === 'HEADER' && component.format === 'TEXT' && component.text)
      return { ...component, text: fillVariables(component.text, inPart(values, 'header')) }
    return component
  })

interface ValueFieldProps {
  readonly template: Template
  readonly nodeId: string
  readonly needed: NeededValue
  readonly below: string
  readonly value: string
  /** The file name of a document at an address. */
  readonly fileName: string
  onName(name: string): void
  onChange(value: string): void
}

function ValueField({ template, nodeId, needed, below, value, fileName, onName, onChange }: ValueFieldProps) {
  const { t } = useTranslation('flows')
  const { isReadOnly } = useEditorFacts()
  const { at, part, name } = needed
  const fault = useFieldProblem({ nodeId }, `${below}.${at}`)
  if (part === 'media' && !isReadOnly)
    return (
      <HeaderFileField
        template={template}
        format={name as MediaFormat}
        card={null}
        label={t('templateValue.media')}
        value={value}
        fault={fault}
        name={fileName}
        onName={onName}
        onChange={onChange}
      />
    )
  return (
    <TextField
      label={t(part === 'buttons' && !name ? 'templateValue.code' : `templateValue.${part}`, { name })}
      value={value}
      max={outboundLimits.interactiveBody}
      rows={1}
      fault={fault}
      onChange={onChange}
    />
  )
}

interface TemplateFieldsProps {
  readonly nodeId: string
  readonly choice: TemplateChoice
  /** The field names of problems of the choice, and of its values. */
  readonly field: string
  readonly below: string
  onChange(choice: TemplateChoice, key?: string): void
}

/** Chooses a template and its values. */
export function TemplateFields({ nodeId, choice, field, below, onChange }: TemplateFieldsProps) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { isReadOnly } = useEditorFacts()
  const [isChoosing, setChoosing] = useState(!choice.template)
  const fault = useFieldProblem({ nodeId }, field)
  const { template: name, language, values } = choice
  const found = useOptionalAnswer({
    ...queryFor(slug, 'templates.getByName', { params: { name: name || '-' }, query: { language } }),
    enabled: name !== '',
  })
  const known = found?.name === name && found.language === language ? found : undefined
  const change = (changed: Record<string, string>, at: string) => {
    const next = Object.entries({ ...values, ...changed }).filter(([place, value]) => place !== fileNameAt || value)
    onChange({ ...choice, values: Object.fromEntries(next) }, `${nodeId}.${below}.${at}`)
  }
  if (isChoosing && !isReadOnly)
    return (
      <section className="flow-template" aria-label={t('template.choose')}>
        <TemplateChoices
          onChoose={chosen => {
            setChoosing(false)
            const kept = keptFileOf(chosen, null)
            const values: Record<string, string> = kept ? { 'header.media': kept.handle } : {}
            onChange({ template: chosen.name, language: chosen.language, values })
          }}
        />
        {name ? (
          <button type="button" className="link" onClick={() => setChoosing(false)}>
            {t('template.keep')}
          </button>
        ) : null}
        {fault ? <Fault>{fault}</Fault> : null}
      </section>
    )
  return (
    <section className="flow-template" aria-label={t('node.template')}>
      <p className="flow-template-name">
        <b dir="auto">{name || t('template.none')}</b>
        {language ? (
          <small>
            <LanguageName code={language} />
          </small>
        ) : null}
        {isReadOnly ? null : (
          <button type="button" className="link" onClick={() => setChoosing(true)}>
            <Icon name="search" />
            {t('template.other')}
          </button>
        )}
      </p>
      {fault ? <Fault>{fault}</Fault> : null}
      {known
        ? neededValues(known.components).map(needed => (
            <ValueField
              key={needed.at}
              template={known}
              nodeId={nodeId}
              needed={needed}
              below={below}
              value={values[needed.at] ?? ''}
              fileName={values[fileNameAt] ?? ''}
              onName={name => change({ [fileNameAt]: name }, fileNameAt)}
              onChange={value =>
                // A file stored here has a name already.
                change(
                  needed.part === 'media' && (!value || isFileHandle(value))
                    ? { [needed.at]: value, [fileNameAt]: '' }
                    : { [needed.at]: value },
                  needed.at,
                )
              }
            />
          ))
        : null}
      {known ? (
        <section className="flow-preview" aria-label={t('preview')}>
          <div className="wa-phone">
            <div className="wa-chat">
              <WaMessage
                isCode={isCodeCategory(known.category)}
                drawn={{
                  components: filledIn(known.components, choice),
                  language,
                  files: neededValues(known.components).flatMap(({ at, part, name }) =>
                    part === 'media'
                      ? shownFiles(known, { card: null, format: name as MediaFormat, value: values[at] ?? '' })
                      : [],
                  ),
                  withExamples: false,
                }}
              />
            </div>
          </div>
        </section>
      ) : null}
    </section>
  )
}

type Speaking = NodeOf<'message'> | NodeOf<'question'> | NodeOf<'buttons'>

/** The template sent while WhatsApp's window is closed. */
export function FallbackFields({ node }: { readonly node: Speaking }) {
  const { t } = useTranslation('flows')
  const { changeNode } = useEditorActions()
  const change = (fallback: TemplateChoice | undefined, key?: string) => changeNode(node.id, { fallback }, key)
  return (
    <>
      <CheckField
        label={t('template.fallback')}
        checked={node.fallback !== undefined}
        onChange={isOn => change(isOn ? noTemplate : undefined)}
      />
      {node.fallback ? (
        <TemplateFields nodeId={node.id} choice={node.fallback} field="fallback" below="fallback" onChange={change} />
      ) : null}
    </>
  )
}
