import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { ValueSource } from '#shared/bulk-sends/values.ts'
import type { MediaFormat } from '#shared/templates/components.ts'
import { OwnFilesUpload } from './own-files-upload.tsx'

interface OwnFileProps {
  readonly format: MediaFormat
  readonly source: ValueSource | undefined
  /** Columns of the audience's file. Empty: everybody gets the same. */
  readonly columns: readonly string[]
  onChange(source: ValueSource): void
  /** Chooses the file that everybody gets. */
  readonly children: ReactNode
}

const same = 'same'

/** Lets everybody get the same header file, or each the one named in a column. */
export function OwnFile({ format, source, columns, onChange, children }: OwnFileProps) {
  const { t } = useTranslation('bulk-sends')
  const id = useId()
  const column = source?.from === 'column' ? source.text : undefined
  if (!columns.length) return children
  return (
    <>
      <div className="field bulk-own-file">
        <label htmlFor={id}>{t('header.whose')}</label>
        <select
          id={id}
          value={column === undefined ? same : `column ${column}`}
          aria-describedby={column === undefined ? undefined : `${id}-hint`}
          onChange={({ target }) =>
            onChange(
              target.value === same
                ? { from: 'fixed', text: '' }
                : { from: 'column', text: target.value.slice('column '.length) },
            )
          }
        >
          <option value={same}>{t('header.same')}</option>
          {columns.map(name => (
            <option key={name} value={`column ${name}`}>
              {t('header.ofColumn', { name })}
            </option>
          ))}
        </select>
        {column === undefined ? null : (
          <div id={`${id}-hint`} className="field-hint">
            {t('header.ofColumnHint')}
          </div>
        )}
      </div>
      {column === undefined ? (
        children
      ) : (
        <OwnFilesUpload format={format} onUploaded={() => source && onChange({ ...source })} />
      )}
    </>
  )
}
