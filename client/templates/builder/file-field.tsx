import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#client/app/calls/upload.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { fileNameMaxChars } from '#shared/media/sent-files.ts'
import type { TemplateMedia } from '#shared/templates/api.ts'
import { headerMedia, type MediaFormat } from '#shared/templates/components.ts'
import { uploadTemplateMedia } from '#shared/templates/media-api.ts'
import { useFault } from './faults.tsx'
import type { FileForm } from './form.ts'
import './file-field.css'

interface FileFieldProps {
  readonly label: string
  readonly format: MediaFormat
  readonly field: string
  readonly file: FileForm | null
  onChange(file: FileForm | null): void
}

const icons = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'file' } as const
const megabyte = 1024 * 1024

/** A header's example file: checked and uploaded at once, with progress and cancel. */
export function FileField({ label, format, field, file, onChange }: FileFieldProps) {
  const { t } = useTranslation('templates')
  const { t: common } = useTranslation()
  const { slug } = useOrg()
  const id = useId()
  const failureText = useFailureText()
  const missing = useFault(field)
  const [failure, setFailure] = useState<string>()
  const [percent, setPercent] = useState<number>()
  const running = useRef<AbortController>(undefined)
  /** The callback may change during an upload. */
  const newest = useRef(onChange)
  useEffect(() => {
    newest.current = onChange
  })
  useEffect(() => () => running.current?.abort(), [])
  const { mimes, maxBytes } = headerMedia[format]
  const max = maxBytes / megabyte
  const choose = async (chosen: File) => {
    setFailure(undefined)
    if (!mimes.includes(chosen.type)) return setFailure(t('fault.fileKind'))
    if (chosen.size > maxBytes) return setFailure(t('fault.fileTooLarge', { max }))
    const calling = new AbortController()
    running.current = calling
    setPercent(0)
    try {
      const name = encodeURIComponent(chosen.name.slice(0, fileNameMaxChars))
      const options = { org: slug, signal: calling.signal, onPercent: setPercent }
      const kept = (await upload(`${uploadTemplateMedia.path}?name=${name}`, chosen, options)) as TemplateMedia
      if (calling.signal.aborted) return
      if (mimes.includes(kept.mime)) newest.current(kept)
      else setFailure(t('fault.fileKind'))
    } catch (error) {
      if (!calling.signal.aborted) setFailure(failureText(error))
    } finally {
      setPercent(undefined)
    }
  }
  const fault = failure ?? missing
  const isPicture = file?.url && format === 'IMAGE'
  return (
    <div className="field">
      <span className="field-label" id={`${id}-label`}>
        {label}
      </span>
      <div className="form-file stack-l">
        {isPicture ? <img src={file.url} alt="" /> : <Icon name={icons[format]} />}
        <div>
          <span className="cut">{file ? (file.name ?? t('form.fileAtMeta')) : t('form.noFile')}</span>
          {percent === undefined ? (
            <small id={`${id}-hint`}>{t(`form.fileHint.${format}`)}</small>
          ) : (
            <progress value={percent} max={100} aria-label={t('form.uploading')} />
          )}
        </div>
        {percent === undefined ? (
          <label className="button form-file-button">
            {t(file ? 'form.replace' : 'form.choose')}
            <input
              type="file"
              className="sr-only"
              data-field={field}
              accept={mimes.join(',')}
              aria-label={`${label}: ${t(file ? 'form.replace' : 'form.choose')}`}
              aria-invalid={Boolean(fault)}
              aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ''}`}
              onChange={({ target }) => {
                const [chosen] = target.files ?? []
                target.value = ''
                if (chosen) void choose(chosen)
              }}
            />
          </label>
        ) : (
          <button type="button" className="button" onClick={() => running.current?.abort()}>
            {common('cancel')}
          </button>
        )}
      </div>
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  )
}
