import { useTranslation } from 'react-i18next'
import { HeaderFileField } from '#client/templates/header-file-field.tsx'
import { Field } from '#client/ui/controls/field.tsx'
import type { Template } from '#shared/templates/api.ts'
import {
  faultyIn,
  type HeaderKey,
  headerKey,
  headerKindOf,
  isOwnFile,
  type Sources,
  withKeptFiles,
} from './header-values.ts'
import { OwnFile } from './own-file.tsx'

interface HeaderFieldsProps {
  readonly template: Template
  readonly sources: Sources
  /** Columns of the audience's file. */
  readonly columns: readonly string[]
  readonly areMissingShown: boolean
  onChange(sources: Sources): void
}

/** The header's video, document or location. Nothing for other headers. */
export function HeaderFields({ template, sources: typed, columns, areMissingShown, onChange }: HeaderFieldsProps) {
  const { t } = useTranslation('bulk-sends')
  const { t: templates } = useTranslation('templates')
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
  const own = sources[headerKey('file')]
  const name = sources[headerKey('fileName')]?.text ?? ''
  const changeName = (text: string) => onChange({ ...typed, [headerKey('fileName')]: { from: 'fixed', text } })
  if (kind !== 'LOCATION')
    return (
      <>
        <OwnFile
          format={kind}
          source={own}
          columns={columns}
          onChange={source => onChange({ ...typed, [headerKey('file')]: source })}
        >
          <HeaderFileField
            key={template.id}
            template={template}
            format={kind}
            card={null}
            label={t(`header.${kind}`)}
            value={sources[headerKey('file')]?.text ?? ''}
            fault={faulty.includes('file') ? t('header.fileFault') : undefined}
            name={name}
            onName={changeName}
            onChange={text => onChange({ ...typed, [headerKey('file')]: { from: 'fixed', text } })}
          />
        </OwnFile>
        {kind === 'DOCUMENT' && isOwnFile(own) ? (
          <Field
            label={templates('send.fileName')}
            hint={templates('send.fileNameHint')}
            autoComplete="off"
            maxLength={240}
            value={name}
            onChange={({ target }) => changeName(target.value)}
          />
        ) : null}
      </>
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
