import { useTranslation } from 'react-i18next'
import type { Template } from '#shared/templates.ts'
import { HeaderFileField } from '../templates/header-file-field.tsx'
import { Field } from '../ui/field.tsx'
import { faultyIn, type HeaderKey, headerKey, headerKindOf, type Sources, withKeptFiles } from './header-values.ts'

interface HeaderFieldsProps {
  readonly template: Template
  readonly sources: Sources
  readonly areMissingShown: boolean
  onChange(sources: Sources): void
}

/** The film, the document or the place in the header, the same for everybody; nothing where the header has none. */
export function HeaderFields({ template, sources: typed, areMissingShown, onChange }: HeaderFieldsProps) {
  const { t } = useTranslation('bulk')
  const sources = withKeptFiles(template, typed)
  const kind = headerKindOf(template.components)
  if (kind === undefined) return null
  const faulty = areMissingShown ? faultyIn(template.components, sources) : []
  const field = (key: HeaderKey, label: string, more: { hint?: string; fault: string; inputMode?: 'decimal' }) => {
    const { fault, ...rest } = more
    return (
      <Field
        label={label}
        autoComplete="off"
        maxLength={1000}
        value={sources[headerKey(key)]?.text ?? ''}
        {...rest}
        {...(faulty.includes(key) ? { fault } : {})}
        onChange={({ target }) => onChange({ ...sources, [headerKey(key)]: { from: 'fixed', text: target.value } })}
      />
    )
  }
  if (kind !== 'LOCATION')
    return (
      <HeaderFileField
        key={template.id}
        template={template}
        format={kind}
        card={null}
        label={t(`header.${kind}`)}
        value={sources[headerKey('file')]?.text ?? ''}
        fault={faulty.includes('file') ? t('header.fileFault') : undefined}
        onChange={text => onChange({ ...typed, [headerKey('file')]: { from: 'fixed', text } })}
      />
    )
  return (
    <fieldset className="bulk-value">
      <legend>{t('header.LOCATION')}</legend>
      {field('latitude', t('header.latitude'), { fault: t('header.latitudeFault'), inputMode: 'decimal' })}
      {field('longitude', t('header.longitude'), { fault: t('header.longitudeFault'), inputMode: 'decimal' })}
      {field('placeName', t('header.placeName'), { fault: '' })}
      {field('address', t('header.address'), { hint: t('header.addressHint'), fault: '' })}
    </fieldset>
  )
}
