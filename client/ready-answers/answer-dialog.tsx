import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callPath } from '#client/app/calls/api.ts'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { upload } from '#client/app/calls/upload.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { putIn } from '#client/ui/controls/field-edits.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { api as contracts } from '#shared/api.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { captionMaxChars } from '#shared/media/sent-files.ts'
import { settingOfVariable } from '#shared/orgs/variables.ts'
import {
  type AnswerVariable,
  answerTitleMaxChars,
  answerVariables,
  type NamedVariable,
  type ReadyAnswer,
  shortcutMaxChars,
  shortcutOf,
  unknownVariable,
} from '#shared/ready-answers/api.ts'
import { type Along, AnswerFile } from './answer-file.tsx'
import { answersQuery } from './queries.ts'

interface AnswerDialogProps {
  /** Absent: a new one. */
  readonly answer?: ReadyAnswer
  onClose(): void
}

type Faults = Partial<Record<'title' | 'shortcut' | 'text' | 'file' | 'other', string>>
const fields = ['title', 'shortcut', 'text', 'file'] as const

/** Creates or edits a ready answer. */
export default function AnswerDialog({ answer, onClose }: AnswerDialogProps) {
  const { t } = useTranslation(['ready-answers', 'org-settings'])
  const { slug } = useOrg()
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [typed, setTyped] = useState({
    title: answer?.title ?? '',
    shortcut: answer?.shortcut ?? '',
    text: answer?.text ?? '',
    shared: answer?.shared ?? false,
  })
  const [along, setAlong] = useState<Along>(answer?.file ?? undefined)
  /** Saving the text may succeed and uploading the file fail. */
  const [saved, setSaved] = useState(answer)
  const [percent, setPercent] = useState<number>()
  const [faults, setFaults] = useState<Faults>({})
  const [isSaving, save] = useWork()
  const put = (change: Partial<typeof typed>) => {
    setTyped(now => ({ ...now, ...change }))
    setFaults({})
  }
  const name = (variable: string) => {
    const area = box.current
    if (!area) return
    put({ text: putIn(area, `{{${variable}}}`) })
  }
  const missing = (): Faults => {
    const unknown = unknownVariable(typed.text)
    return {
      ...(typed.title.trim() ? {} : { title: t('dialog.required') }),
      ...(shortcutOf(typed.shortcut) ? {} : { shortcut: t('dialog.required') }),
      ...(typed.text.trim() ? {} : { text: t('dialog.required') }),
      ...(along && [...typed.text.trim()].length > captionMaxChars
        ? { text: t('dialog.tooLongForFile', { limit: captionMaxChars }) }
        : {}),
      ...(unknown === undefined ? {} : { text: t('dialog.unknown', { name: unknown }) }),
    }
  }
  const send = async (id: string, file: File): Promise<ReadyAnswer> => {
    const form = new FormData()
    form.set('file', file, file.name)
    const path = callPath(contracts.readyAnswers.setFile, { params: { id } })
    const options = { org: slug, signal: new AbortController().signal, onPercent: setPercent }
    return (await upload(path, form, options)) as ReadyAnswer
  }
  const submit = () =>
    save(async () => {
      const found = missing()
      setFaults(found)
      if (Object.keys(found).length) return
      const body = { ...typed, shortcut: shortcutOf(typed.shortcut) }
      try {
        // The shorter limit for captions applies only while there is a file.
        if (saved?.file && !along) await api.readyAnswers.removeFile({ params: { id: saved.id } })
        const kept = saved
          ? await api.readyAnswers.changeAnswer({ params: { id: saved.id }, body })
          : await api.readyAnswers.createAnswer({ body })
        setSaved(kept)
        if (along?.file) setSaved(await send(kept.id, along.file))
        await client.invalidateQueries({ queryKey: answersQuery(slug).queryKey })
        toast(t('dialog.saved', { title: kept.title }), { kind: 'success' })
        onClose()
      } catch (error) {
        setPercent(undefined)
        const named = Object.fromEntries(
          fields.flatMap(field => {
            const fault = fieldFault(error, `body.${field}`)
            return fault ? [[field, fault]] : []
          }),
        )
        setFaults(Object.keys(named).length ? named : { other: failureText(error) })
      }
    })
  const labelOf = (variable: AnswerVariable) => {
    const setting = settingOfVariable(variable)
    return setting ? t(`org-settings:${setting}.label`) : t(`variable.${variable as NamedVariable}`)
  }
  return (
    <Modal title={t(answer ? 'dialog.editTitle' : 'dialog.createTitle')} width={560} onClose={onClose}>
      <DialogForm
        confirm={percent === undefined ? t('dialog.save') : t('dialog.uploading', { percent })}
        isWorking={isSaving}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field
          label={t('dialog.title')}
          autoComplete="off"
          maxLength={answerTitleMaxChars}
          value={typed.title}
          fault={faults.title}
          onChange={({ target }) => put({ title: target.value })}
        />
        <Field
          label={t('dialog.shortcut')}
          hint={t('dialog.shortcutHint')}
          autoComplete="off"
          autoCapitalize="off"
          maxLength={shortcutMaxChars}
          value={typed.shortcut}
          fault={faults.shortcut}
          onChange={({ target }) => put({ shortcut: target.value })}
        />
        <div className="field">
          <label htmlFor={id}>{t('dialog.text')}</label>
          <textarea
            dir="auto"
            ref={box}
            id={id}
            rows={5}
            maxLength={textMaxChars}
            value={typed.text}
            aria-invalid={faults.text !== undefined}
            aria-describedby={faults.text ? `${id}-fault` : undefined}
            onChange={({ target }) => put({ text: target.value })}
          />
          <fieldset className="answer-variables wrap">
            <legend>{t('dialog.insert')}</legend>
            {answerVariables.map(variable => (
              <button key={variable} type="button" className="button" onClick={() => name(variable)}>
                {labelOf(variable)}
              </button>
            ))}
          </fieldset>
          {faults.text ? <Fault id={`${id}-fault`}>{faults.text}</Fault> : null}
        </div>
        <AnswerFile
          along={along}
          fault={faults.file}
          onChange={next => {
            setAlong(next)
            setFaults({})
          }}
        />
        {answer?.own === false ? null : (
          <label className="check">
            <input type="checkbox" checked={typed.shared} onChange={({ target }) => put({ shared: target.checked })} />
            {t('dialog.shared')}
          </label>
        )}
        {faults.other ? <Fault>{faults.other}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
