import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { HeaderFileField } from '#client/templates/header-file-field.tsx'
import { isFilePlace, type NeededValue, neededValues, wallTimeOf, zonedTime } from '#client/templates/send-values.ts'
import { useValueLabel } from '#client/templates/value-label.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { MomentField } from '#client/ui/controls/moment-input.tsx'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { ValueSource } from '#shared/bulk-sends/values.ts'
import type { ContactField } from '#shared/contacts/fields.ts'
import type { Template } from '#shared/templates/api.ts'
import { headerSourcesOf, headerValuesOf, isOwnFile, type Sources, withKeptFiles } from './header-values.ts'
import { OwnFile } from './own-file.tsx'

const origins = ['fixed', 'firstName', 'name', 'number'] as const
const partOf = { body: 'body', header: 'header', button: 'buttons' } as const

/** The sources that are valid with these columns. */
export const withColumns = (sources: Sources, columns: readonly string[]): Sources =>
  Object.fromEntries(
    Object.entries(sources).filter(([, { from, text }]) => from !== 'column' || columns.includes(text ?? '')),
  )

/** The sources that are valid with these contact fields. */
export const withFields = (sources: Sources, fields: readonly { readonly id: string }[]): Sources =>
  Object.fromEntries(
    Object.entries(sources).filter(([, { from, text }]) => from !== 'field' || fields.some(({ id }) => id === text)),
  )

/** The needed values, without the header's video or document, which `HeaderFields` handles. */
const neededAmong = (components: Template['components']): NeededValue[] =>
  neededValues(components).filter(
    ({ part, card, format }) => part !== 'file' || card !== undefined || format === 'IMAGE',
  )

/** The source of a value. Until a person chooses, the first one of the text is the contact's first name. */
export const sourceOf = (sources: Sources, { field, part }: NeededValue): ValueSource =>
  sources[field] ?? { from: part === 'body' && field === 'body.bodyExample.1' ? 'firstName' : 'fixed' }

type Values = NonNullable<PlanInput['values']>
type Card = NonNullable<Values['cards']>[string]

/** A value's key in the request: `bodyExample.1`, `cardExample.0.body.1`. */
const placeOf = ({ field }: NeededValue): string => field.split('.').at(-1) ?? ''

/** Sets a source at its place in the request. */
const placed = (values: Values | Card, needed: NeededValue, source: ValueSource): Values | Card => {
  if (needed.part === 'offer') return { ...values, offerEndsAt: zonedTime(source.text ?? '') }
  if (needed.part === 'file' && needed.card === undefined && isOwnFile(source)) return { ...values, file: source }
  const part = needed.part === 'file' ? undefined : partOf[needed.part]
  if (part) return { ...values, [part]: { ...(values as Values)[part], [placeOf(needed)]: source } }
  return { ...values, [needed.card === undefined ? 'image' : 'file']: source.text?.trim() ?? '' }
}

/** Values of the plan's request. */
export const valuesOf = (template: Template, typed: Sources): PlanInput['values'] => {
  const sources = withKeptFiles(template, typed)
  let values: Values = { body: {}, header: {}, buttons: {} }
  for (const needed of neededAmong(template.components)) {
    const source = sourceOf(sources, needed)
    const { card } = needed
    if (card === undefined) values = placed(values, needed, source) as Values
    else values = { ...values, cards: { ...values.cards, [card]: placed(values.cards?.[card] ?? {}, needed, source) } }
  }
  return { ...values, ...headerValuesOf(template.components, sources) }
}

const givenFor = (values: PlanInput['values'], needed: NeededValue): ValueSource | undefined => {
  const card = needed.card === undefined ? undefined : values?.cards?.[needed.card]
  if (needed.part === 'offer')
    return values?.offerEndsAt === undefined ? undefined : { from: 'fixed', text: wallTimeOf(values.offerEndsAt) }
  if (needed.part === 'file') {
    if (needed.card === undefined && values?.file) return values.file
    const text = needed.card === undefined ? values?.image : card?.file
    return text === undefined ? undefined : { from: 'fixed', text }
  }
  const within: Pick<Values, 'body' | 'header' | 'buttons'> | undefined = needed.card === undefined ? values : card
  return within?.[partOf[needed.part]]?.[placeOf(needed)]
}

/** The sources of a request's values. */
export const sourcesOf = (template: Template, values: PlanInput['values']): Sources => ({
  ...headerSourcesOf(template.components, values),
  ...Object.fromEntries(
    neededAmong(template.components).flatMap(needed => {
      const source = givenFor(values, needed)
      return source ? [[needed.field, source] as const] : []
    }),
  ),
})

/** Values that are missing for a plan. */
export const missingIn = (template: Template, typed: Sources): NeededValue[] => {
  const sources = withKeptFiles(template, typed)
  return neededAmong(template.components).filter(needed => {
    const source = sourceOf(sources, needed)
    if (needed.part === 'file') return !isOwnFile(source) && !isFilePlace(source.text?.trim() ?? '')
    return source.from === 'fixed' && !source.text?.trim()
  })
}

interface ValueFieldsProps {
  readonly template: Template
  readonly sources: Sources
  /** The columns of the file. */
  readonly columns: readonly string[]
  readonly fields: readonly Pick<ContactField, 'id' | 'label'>[]
  readonly areMissingShown: boolean
  onChange(sources: Sources): void
}

/** The source that an option of the select stands for. */
const chosenSource = (option: string): Partial<ValueSource> => {
  const [from, ...rest] = option.split(' ') as [ValueSource['from'], ...string[]]
  return { from, text: rest.join(' ') }
}
const optionOf = ({ from, text }: ValueSource): string =>
  from === 'column' || from === 'field' ? `${from} ${text}` : from

/** One row per value of the template: its source, and the text for recipients without it. */
export function ValueFields({ template, sources, columns, fields, areMissingShown, onChange }: ValueFieldsProps) {
  const { t } = useTranslation('bulk-sends')
  const { t: templates } = useTranslation('templates')
  const id = useId()
  const missing = missingIn(template, sources)
  const shown = withKeptFiles(template, sources)
  const labelOf = useValueLabel()
  return neededAmong(template.components).map(needed => {
    const { field, part } = needed
    const source = sourceOf(shown, needed)
    const change = (next: Partial<ValueSource>) => onChange({ ...sources, [field]: { ...source, ...next } })
    const isMissing = areMissingShown && missing.some(one => one.field === field)
    const fault = isMissing ? { fault: part === 'file' ? t('header.fileFault') : templates('fault.required') } : {}
    if (part === 'offer')
      return (
        <MomentField
          key={field}
          label={labelOf(needed)}
          hint={templates('send.offerEndHint')}
          value={source.text ?? ''}
          {...fault}
          onChange={text => change({ from: 'fixed', text })}
        />
      )
    if (part === 'file')
      return (
        <OwnFile
          key={`${template.id} ${field}`}
          format={needed.format ?? 'IMAGE'}
          source={source}
          columns={needed.card === undefined ? columns : []}
          onChange={change}
        >
          <HeaderFileField
            template={template}
            format={needed.format ?? 'IMAGE'}
            card={needed.card ?? null}
            label={labelOf(needed)}
            value={source.text ?? ''}
            {...fault}
            onChange={text => change({ from: 'fixed', text })}
          />
        </OwnFile>
      )
    return (
      <fieldset key={field} className="bulk-value">
        <legend>{labelOf(needed)}</legend>
        <div className="field">
          <label htmlFor={`${id}-${field}`}>{t('value.from')}</label>
          <select
            id={`${id}-${field}`}
            value={optionOf(source)}
            onChange={({ target }) => change(chosenSource(target.value))}
          >
            {origins.map(origin => (
              <option key={origin} value={origin}>
                {t(`value.origin.${origin}`)}
              </option>
            ))}
            {fields.map(field => (
              <option key={field.id} value={`field ${field.id}`}>
                {t('value.field', { name: field.label })}
              </option>
            ))}
            {columns.map(name => (
              <option key={name} value={`column ${name}`}>
                {t('value.column', { name })}
              </option>
            ))}
          </select>
        </div>
        {source.from === 'fixed' ? (
          <Field
            label={t('value.text')}
            autoComplete="off"
            maxLength={1024}
            value={source.text ?? ''}
            {...fault}
            onChange={({ target }) => change({ text: target.value })}
          />
        ) : source.from === 'number' ? null : (
          <Field
            label={t('value.fallback')}
            hint={t('value.fallbackHint')}
            autoComplete="off"
            maxLength={1024}
            value={source.fallback ?? ''}
            onChange={({ target }) => change({ fallback: target.value })}
          />
        )}
      </fieldset>
    )
  })
}
