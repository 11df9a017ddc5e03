import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { upload } from '#client/app/calls/upload.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { fileNameMaxChars } from '#shared/media/sent-files.ts'
import { headerMedia, type MediaFormat } from '#shared/templates/components.ts'
import { uploadTemplateMedia } from '#shared/templates/media-api.ts'

/** More names would be unreadable. */
const namesShown = 5

interface Progress {
  readonly done: number
  readonly all: number
}

/** Uploads the files that a column names, one after another. Failed ones are listed and can be chosen again. */
export function OwnFilesUpload({ format, onUploaded }: { readonly format: MediaFormat; onUploaded(): void }) {
  const { t } = useTranslation('bulk-sends')
  const { t: common } = useTranslation()
  const { t: templates } = useTranslation('templates')
  const { slug } = useOrg()
  const failureText = useFailureText()
  const id = useId()
  const [progress, setProgress] = useState<Progress>()
  const [isRunning, setRunning] = useState(false)
  const [failed, setFailed] = useState<readonly string[]>([])
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const { mimes } = headerMedia[format]

  const faultOf = async (file: File, signal: AbortSignal): Promise<string | undefined> => {
    if (!mimes.includes(file.type)) return templates('fault.fileKind')
    try {
      const name = encodeURIComponent(file.name.slice(0, fileNameMaxChars))
      await upload(`${uploadTemplateMedia.path}?name=${name}`, file, { org: slug, signal, onPercent: () => undefined })
      return undefined
    } catch (error) {
      return failureText(error)
    }
  }

  const send = async (files: readonly File[]) => {
    const calling = new AbortController()
    running.current = calling
    setRunning(true)
    setFailed([])
    setProgress({ done: 0, all: files.length })
    for (const file of files) {
      const fault = await faultOf(file, calling.signal)
      if (calling.signal.aborted) break
      if (fault === undefined) setProgress(before => before && { ...before, done: before.done + 1 })
      else setFailed(before => [...before, `${file.name}: ${fault}`])
    }
    setRunning(false)
    onUploaded()
  }

  return (
    <div className="field bulk-own-files">
      {isRunning ? (
        <button type="button" className="button" onClick={() => running.current?.abort()}>
          {common('cancel')}
        </button>
      ) : (
        <label className="button">
          {t('header.uploadFiles')}
          <input
            type="file"
            multiple
            className="sr-only"
            accept={mimes.join(',')}
            aria-describedby={`${id}-says`}
            onChange={({ target }) => {
              const files = [...(target.files ?? [])]
              target.value = ''
              if (files.length) void send(files)
            }}
          />
        </label>
      )}
      <p id={`${id}-says`} className="field-hint" role="status">
        {progress ? t('header.uploaded', { ...progress }) : t('header.uploadHint')}
      </p>
      {failed.length ? (
        <Fault>
          {failed.slice(0, namesShown).join(' ')}
          {failed.length > namesShown ? ` ${t('header.moreFailed', { count: failed.length - namesShown })}` : ''}
        </Fault>
      ) : null}
    </div>
  )
}
