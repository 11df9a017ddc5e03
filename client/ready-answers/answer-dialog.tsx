import { useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { faultOf } from '#client/api-error.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { DialogForm } from '#client/ui/dialog-form.tsx'
import { Fault, Field } from '#client/ui/field.tsx'
import { Modal } from '#client/ui/mui-dialog.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { textMaxChars } from '#shared/limits.ts'
import {
  answerTitleMaxChars,
  answerVariables,
  type ReadyAnswer,
  shortcutMaxChars,
  shortcutOf,
  unknownVariable,
} from '#shared/ready-answers.ts'
import { answersQuery } from './queries.ts'

interface AnswerDialogProps {
  /** Absent: a new one. */
  readonly answer?: ReadyAnswer
  onClose(): void
}

type Faults = Partial<Record<'title' | 'shortcut' | 'text' | 'other', string>>
const fields = ['title', 'shortcut', 'text'] as const

/** A ready answer is written, or changed. */
export default function AnswerDialog({ answer, onClose }: AnswerDialogProps) {
  const { t } = useTranslation('answers')
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
  const [faults, setFaults] = useState<Faults>({})
  const [isSaving, save] = useTransition()
  const put = (change: Partial<typeof typed>) => {
    setTyped(now => ({ ...now, ...change }))
    setFaults({})
  }
  const name = (variable: string) => {
    const area = box.current
    if (!area) return
    area.setRangeText(`{{${variable}}}`, area.selectionStart, area.selectionEnd, 'end')
    put({ text: area.value })
    area.focus()
  }
  const missing = (): Faults => {
    const unknown = unknownVariable(typed.text)
    return {
      ...(typed.title.trim() ? {} : { title: t('dialog.required') }),
      ...(shortcutOf(typed.shortcut) ? {} : { shortcut: t('dialog.required') }),
      ...(typed.text.trim() ? {} : { text: t('dialog.required') }),
      ...(unknown === undefined ? {} : { text: t('dialog.unknown', { name: unknown }) }),
    }
  }
  const submit = () =>
    save(async () => {
      const found = missing()
      setFaults(found)
      if (Object.keys(found).length) return
      const body = { ...typed, shortcut: shortcutOf(typed.shortcut) }
      try {
        const saved = answer
          ? await api.readyAnswers.changeAnswer({ params: { id: answer.id }, body })
          : await api.readyAnswers.createAnswer({ body })
        await client.invalidateQueries({ queryKey: answersQuery(slug).queryKey })
        toast(t('dialog.saved', { title: saved.title }), { kind: 'success' })
        onClose()
      } catch (error) {
        const named = Object.fromEntries(
          fields.flatMap(field => {
            const fault = faultOf(error, `body.${field}`)
            return fault ? [[field, fault]] : []
          }),
        )
        setFaults(Object.keys(named).length ? named : { other: failureText(error) })
      }
    })
  return (
    <Modal title={t(answer ? 'dialog.editTitle' : 'dialog.createTitle')} width={560} onClose={onClose}>
      <DialogForm confirm={t('dialog.save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
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
            ref={box}
            id={id}
            rows={5}
            maxLength={textMaxChars}
            value={typed.text}
            aria-invalid={faults.text !== undefined}
            aria-describedby={faults.text ? `${id}-fault` : undefined}
            onChange={({ target }) => put({ text: target.value })}
          />
          <fieldset className="answer-variables">
            <legend>{t('dialog.insert')}</legend>
            {answerVariables.map(variable => (
              <button key={variable} type="button" className="button" onClick={() => name(variable)}>
                {t(`variable.${variable}`)}
              </button>
            ))}
          </fieldset>
          {faults.text ? <Fault id={`${id}-fault`}>{faults.text}</Fault> : null}
        </div>
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
