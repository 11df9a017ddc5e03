import { useTranslation } from 'react-i18next'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { formLabel, formValue } from './form-words.ts'
import type { BodyProps, KindViews } from './kind.ts'

const FormBody = ({ message, t }: BodyProps) => {
  if (!message.form) return null
  return (
    <span className="listed">
      <b>{t('kind.form')}</b>
      {message.form.fields.map((field, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the answers of one form never move
        <span key={i}>
          {field.key ? <span>{formLabel(field.key)}:</span> : null} {formValue(field, t)}
        </span>
      ))}
      {message.form.fields.length === 0 && message.form.body ? <span>{message.form.body}</span> : null}
    </span>
  )
}

const PermissionBody = ({ message, t }: BodyProps) => {
  const { i18n } = useTranslation()
  const { timeZone } = useMoment()
  const { title, until } = message.choice ?? {}
  if (title !== 'accept') return <span className="bubble-text">{t('permission.reject')}</span>
  if (until === undefined) return <span className="bubble-text">{t('permission.accept')}</span>
  const day = shortTime(until, i18n.language as Language, timeZone)
  return <span className="bubble-text">{t('permission.acceptUntil', { until: day })}</span>
}

const ChoiceBody = (props: BodyProps) => {
  const { message, t } = props
  if (message.choice?.kind === 'permission') return <PermissionBody {...props} />
  return (
    <span className="bubble-text" dir="auto">
      <span className="chose">{t('kind.choice')}</span> {message.choice?.title ?? message.text}
      {message.choice?.description ? <small>{message.choice.description}</small> : null}
    </span>
  )
}

/** Views of customers' answers: a tapped option, or a filled-in form. */
export const answerViews = { choice: { Body: ChoiceBody }, form: { Body: FormBody } } satisfies KindViews
