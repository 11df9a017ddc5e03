import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { PlanInput, ValueSource } from '#shared/bulk-sends.ts'
import type { ContactField } from '#shared/contact-fields.ts'
import type { Template } from '#shared/templates.ts'
import { type NeededValue, neededValues } from '../templates/send-values.ts'
import { Field } from '../ui/field.tsx'
import { headerSourcesOf, headerValuesOf, type Sources } from './header-values.ts'

const origins = ['fixed', 'firstName', 'name', 'number'] as const
const partOf = { body: 'body', header: 'header', button: 'buttons' } as const

/** What is left of them when the file has these columns. */
export const withColumns = (sources: Sources, columns: readonly string[]): Sources =>
  Object.fromEntries(
    Object.entries(sources).filter(([, { from, text }]) => from !== 'column' || columns.includes(text ?? '')),
  )

/** What is left of them while contacts have these fields. */
export const withFields = (sources: Sources, fields: readonly { readonly id: string }[]): Sources =>
  Object.fromEntries(
    Object.entries(sources).filter(([, { from, text }]) => from !== 'field' || fields.some(({ id }) => id === text)),
  )

const sourceOf = (sources: Sources, { field, part }: NeededValue): ValueSource =>
  sources[field] ?? { from: part === 'body' && field.endsWith('.1') ? 'firstName' : 'fixed' }

/** What the plan is asked with. */
export const valuesOf = (template: Template, sources: Sources): PlanInput['values'] => {
  const values: { body: Sources; header: Sources; buttons: Sources; image?: string } = {
    body: {},
    header: {},
    buttons: {},
  }
  for (const needed of neededValues(template.components)) {
    const source = sourceOf(sources, needed)
    if (needed.part === 'image') values.image = source.text?.trim() ?? ''
    else values[partOf[needed.part]] = { ...values[partOf[needed.part]], [needed.field.split('.')[2] ?? '']: source }
  }
  return { ...values, ...headerValuesOf(template.components, sources) }
}

/** Where values came from, of a plan that was asked for with them. */
export const sourcesOf = (template: Template, values: PlanInput['values']): Sources => ({
  ...headerSourcesOf(template.components, values),
  ...Object.fromEntries(
    neededValues(template.components).flatMap(({ field, part }) => {
      const source =
        part === 'image'
          ? values?.image && { from: 'fixed' as const, text: values.image }
          : values?.[partOf[part]]?.[field.split('.')[2] ?? '']
      return source ? [[field, source] as const] : []
    }),
  ),
})

/** What is still to be typed before a plan makes sense. */
export const missingIn = (template: Template, sources: Sources): NeededValue[] =>
  neededValues(template.components).filter(needed => {
    const source = sourceOf(sources, needed)
    return source.from === 'fixed' && !source.text?.trim()
  })

interface ValueFieldsProps {
  readonly template: Template
  readonly sources: Sources
  /** Of the file. */
  readonly columns: readonly string[]
  /** Of contacts. */
  readonly fields: readonly Pick<ContactField, 'id' | 'label'>[]
  readonly areMissingShown: boolean
  onChange(sources: Sources): void
}

/** What an option of the select stands for. */
const chosenSource = (option: string): Partial<ValueSource> => {
  const [from, ...rest] = option.split(' ') as [ValueSource['from'], ...string[]]
  return { from, text: rest.join(' ') }
}
const optionOf = ({ from, text }: ValueSource): string =>
  from === 'column' || from === 'field' ? `${from} ${text}` : from

/** A row for each value the template needs: where it comes from, and what stands there for whom there is none. */
export function ValueFields({ template, sources, columns, fields, areMissingShown, onChange }: ValueFieldsProps) {
  const { t } = useTranslation('bulk')
  const { t: templates } = useTranslation('templates')
  const id = useId()
  const missing = missingIn(template, sources)
  const labelOf = ({ part, name }: NeededValue) =>
    part === 'image'
      ? templates('send.image')
      : part === 'button'
        ? templates('send.button', { name })
        : templates(part === 'header' ? 'send.headerValue' : 'send.value', { name })
  return neededValues(template.components).map(needed => {
    const { field, part } = needed
    const source = sourceOf(sources, needed)
    const change = (next: Partial<ValueSource>) => onChange({ ...sources, [field]: { ...source, ...next } })
    const isMissing = areMissingShown && missing.some(one => one.field === field)
    const fault = isMissing ? { fault: templates('fault.required') } : {}
    if (part === 'image')
      return (
        <Field
          key={field}
          label={labelOf(needed)}
          hint={templates('send.imageHint')}
          inputMode="url"
          autoComplete="off"
          value={source.text ?? ''}
          {...fault}
          onChange={({ target }) => change({ text: target.value })}
        />
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
