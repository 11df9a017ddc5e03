import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import type { Template } from '#shared/templates/api.ts'
import type { MediaFormat } from '#shared/templates/components.ts'
import { fileAddressOf, fileIdOf, isFileHandle } from '#shared/templates/files.ts'
import { FileField } from './builder/file-field.tsx'
import type { FileForm } from './builder/form.ts'
import { keptFileOf } from './send-values.ts'
import './header-file.css'

interface HeaderFileFieldProps {
  readonly template: Pick<Template, 'media'>
  readonly format: MediaFormat
  /** Index in a carousel. Null: the message's own header. */
  readonly card: number | null
  readonly label: string
  /** An address, or the handle of a stored file. */
  readonly value: string
  readonly fault?: string | undefined
  /** Name of a document at an address. Undefined: not asked for. */
  readonly name?: string | undefined
  onName?(name: string): void
  onChange(value: string): void
}

type Origin = 'kept' | 'other' | 'address'

/** Chooses a header's file: the template's own, an uploaded one, or one at a public address. */
export function HeaderFileField({
  template,
  format,
  card,
  label,
  value,
  fault,
  name,
  onName,
  onChange,
}: HeaderFileFieldProps) {
  const { t } = useTranslation('templates')
  const id = useId()
  const kept = keptFileOf(template, card)
  const [origin, setOrigin] = useState<Origin>(() => {
    if (value === kept?.handle) return 'kept'
    return isFileHandle(value) ? 'other' : 'address'
  })
  const [other, setOther] = useState<FileForm | null>(() => {
    const file = value === kept?.handle ? undefined : fileIdOf(value)
    return file === undefined ? null : { handle: value, url: fileAddressOf(file), name: t('send.from.nameless') }
  })
  const choose = (next: Origin) => {
    setOrigin(next)
    onName?.('')
    onChange(next === 'kept' ? (kept?.handle ?? '') : next === 'other' ? (other?.handle ?? '') : '')
  }
  const origins: readonly Origin[] = kept ? ['kept', 'other', 'address'] : ['other', 'address']
  return (
    <fieldset className="header-file stack-m">
      <legend>{label}</legend>
      <div className="field">
        <label htmlFor={id}>{t('send.from.label')}</label>
        <select id={id} value={origin} onChange={({ target }) => choose(target.value as Origin)}>
          {origins.map(one => (
            <option key={one} value={one}>
              {t(`send.from.${one}`)}
            </option>
          ))}
        </select>
      </div>
      {origin === 'kept' && kept ? (
        <p className="header-file-kept line cut">
          {format === 'IMAGE' ? <img src={kept.url} alt="" /> : null}
          <span className="cut" dir="auto">
            {kept.name ?? t('send.from.nameless')}
          </span>
        </p>
      ) : null}
      {origin === 'other' ? (
        <>
          <FileField
            label={t('send.from.other')}
            format={format}
            field={`send.${card ?? 'header'}`}
            file={other}
            onChange={file => {
              setOther(file)
              onChange(file?.handle ?? '')
            }}
          />
          {fault ? <Fault>{other ? fault : t('fault.fileRequired')}</Fault> : null}
        </>
      ) : null}
      {origin === 'address' ? (
        <Field
          label={t('send.from.where')}
          hint={t('send.imageHint')}
          inputMode="url"
          autoComplete="off"
          maxLength={2000}
          value={value}
          {...(fault ? { fault } : {})}
          onChange={({ target }) => onChange(target.value)}
        />
      ) : null}
      {origin === 'address' && format === 'DOCUMENT' && name !== undefined ? (
        <Field
          label={t('send.fileName')}
          hint={t('send.fileNameHint')}
          autoComplete="off"
          maxLength={240}
          value={name}
          onChange={({ target }) => onName?.(target.value)}
        />
      ) : null}
    </fieldset>
  )
}
