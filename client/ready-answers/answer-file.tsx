import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { FileButton } from '#client/ui/controls/file-button.tsx'
import { prepareFile } from '#client/ui/files/prepare-file.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { bytesText } from '#shared/media/sent-files.ts'

/** An answer's file: stored, or to be uploaded. Undefined: none. */
export type Along = { readonly name: string; readonly size: number; readonly file?: File } | undefined

interface AnswerFileProps {
  readonly along: Along
  readonly fault: string | undefined
  onChange(along: Along): void
}

/** Chooses, checks or removes the file of a ready answer. */
export function AnswerFile({ along, fault, onChange }: AnswerFileProps) {
  const { t } = useTranslation('ready-answers')
  const id = useId()
  const [problem, setProblem] = useState<string>()
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return
    const prepared = await prepareFile(chosen)
    if ('problem' in prepared)
      return setProblem(t(`dialog.fileProblem.${prepared.problem}`, { limit: bytesText(prepared.limit) }))
    setProblem(undefined)
    onChange({ name: prepared.file.name, size: prepared.file.size, file: prepared.file })
  }
  const said = problem ?? fault
  return (
    <div className="field">
      <label htmlFor={id}>{t('dialog.file')}</label>
      {along ? (
        <p className="answer-file line">
          <Icon name="file" />
          <span className="cut" dir="auto">
            {along.name}
          </span>
          <small>{bytesText(along.size)}</small>
          <button type="button" className="button" onClick={() => onChange(undefined)}>
            {t('dialog.removeFile')}
          </button>
        </p>
      ) : null}
      <FileButton
        id={id}
        aria-invalid={said !== undefined}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          target.value = ''
          void choose(chosen)
        }}
      />
      <div id={`${id}-hint`} className="field-hint">
        {t('dialog.fileHint')}
      </div>
      {said ? <Fault>{said}</Fault> : null}
    </div>
  )
}
