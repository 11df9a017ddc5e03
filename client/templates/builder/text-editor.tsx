import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { putIn } from '#client/ui/controls/field-edits.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { characterCount } from '#shared/templates/variables.ts'
import type { ParameterFormat } from '#shared/templates/words.ts'
import { exampleFor } from '../example-values.ts'
import { CountedField } from './counted-field.tsx'
import { useFault } from './faults.tsx'
import { askedVariables, nextVariable } from './form-variables.ts'

const formats = [
  { key: 'bold', mark: '*', sign: 'B' },
  { key: 'italic', mark: '_', sign: 'I' },
  { key: 'strike', mark: '~', sign: 'S' },
  { key: 'mono', mark: '```', sign: '</>' },
] as const

interface TextEditorProps {
  readonly label: string
  readonly field: string
  readonly value: string
  readonly max: number
  readonly format: ParameterFormat
  readonly rows?: number
  onChange(value: string): void
}

/** A text with WhatsApp's formatting and variables. */
export function TextEditor({ label, field, value, max, format, rows = 5, onChange }: TextEditorProps) {
  const { t } = useTranslation('templates')
  const id = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const fault = useFault(field)
  const length = characterCount(value)
  const wrap = (mark: string) => {
    const field = area.current
    if (!field) return
    const { selectionStart: from, selectionEnd: to } = field
    putIn(field, `${mark}${field.value.slice(from, to)}${mark}`)
    if (from === to) field.setSelectionRange(from + mark.length, from + mark.length)
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="form-editor">
        <fieldset className="form-editor-bar">
          <legend className="sr-only">{t('form.format')}</legend>
          {formats.map(({ key, mark, sign }) => (
            <button
              key={key}
              type="button"
              className={`form-format form-format-${key}`}
              aria-label={t(`form.${key}`)}
              title={t(`form.${key}`)}
              onClick={() => wrap(mark)}
            >
              {sign}
            </button>
          ))}
          <button
            type="button"
            className="link form-add-variable"
            onClick={() =>
              area.current && putIn(area.current, `{{${nextVariable(value, format, t('form.variablePrefix'))}}}`)
            }
          >
            <Icon name="plus" />
            {t('form.variable')}
          </button>
        </fieldset>
        <textarea
          dir="auto"
          ref={area}
          id={id}
          data-field={field}
          rows={rows}
          value={value}
          aria-invalid={Boolean(fault)}
          aria-describedby={`${id}-count${fault ? ` ${id}-fault` : ''}`}
          onChange={({ target }) => onChange(target.value)}
        />
        <small id={`${id}-count`} data-over={length > max}>
          {t('form.counted', { length, max })}
        </small>
      </div>
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  )
}

interface ExamplesProps {
  readonly text: string
  readonly format: ParameterFormat
  readonly examples: Readonly<Record<string, string>>
  /**
   * `BODY.example.body_text.0` or `BODY.example.body_text_named_params`: Meta counts positions from 0 and uses names as
   * they are.
   */
  readonly fields: { readonly named: string; readonly positional: string }
  onChange(examples: Readonly<Record<string, string>>): void
}

/** An example for each variable, for Meta's review. */
export function Examples({ text, format, examples, fields, onChange }: ExamplesProps) {
  const { t } = useTranslation('templates')
  const names = askedVariables(text, format)
  if (!names.length) return null
  return (
    <fieldset className="form-examples stack-m">
      <legend>{t('form.examples')}</legend>
      <p className="field-hint">{t('form.examplesHint')}</p>
      {names.map((name, i) => (
        <CountedField
          key={name}
          label={t('form.exampleOf', { name: `{{${name}}}` })}
          field={format === 'NAMED' ? `${fields.named}.${name}` : `${fields.positional}.${i}`}
          value={exampleFor(examples, name)}
          onChange={value => onChange({ ...examples, [name]: value })}
        />
      ))}
    </fieldset>
  )
}
