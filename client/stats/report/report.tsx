import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { membersQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { fullTime } from '#shared/kernel/time.ts'
import { maxReportRecipients, type ReportRhythm, reportRhythms, type StatsReport } from '#shared/stats/report.ts'
import { reportQuery } from './queries.ts'
import './report.css'

interface Typed {
  /** Empty: it is not sent. */
  readonly rhythm: ReportRhythm | ''
  /** Ids of the chosen members. */
  readonly chosen: readonly string[]
}

const typedOf = ({ rhythm, recipients }: StatsReport): Typed => ({
  rhythm: rhythm ?? '',
  chosen: recipients.map(({ userId }) => userId),
})

/** Mails the viewer the report of the last period. */
function SendNow() {
  const { t } = useTranslation('stats')
  const api = useApi()
  const failureText = useFailureText()
  const [isSending, send] = useTransition()
  const sendNow = () =>
    send(async () => {
      try {
        const { to } = await api.statsReport.sendNow({})
        toast(t('report.sent', { address: to }), { kind: 'success' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <button type="button" className="button" aria-disabled={isSending} onClick={() => isSending || sendNow()}>
      <Icon name="unread" />
      {t(isSending ? 'report.sending' : 'report.now')}
    </button>
  )
}

interface RecipientsProps {
  readonly report: StatsReport
  readonly chosen: Typed['chosen']
  readonly onChoose: (chosen: Typed['chosen']) => void
}

/** Members, each with a box. */
function Recipients({ report, chosen, onChoose }: RecipientsProps) {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const people = useAnswer(membersQuery(slug)).items
  const stored = new Map(report.recipients.map(one => [one.userId, one]))
  return (
    <fieldset className="stats-recipients">
      <legend>{t('report.recipients')}</legend>
      {people.map(({ userId, name, roleId }) => {
        const isChosen = chosen.includes(userId)
        const others = chosen.filter(id => id !== userId)
        return (
          <div key={userId}>
            <label className="check">
              <input
                type="checkbox"
                checked={isChosen}
                disabled={!isChosen && chosen.length >= maxReportRecipients}
                onChange={({ target }) => onChoose(target.checked ? [...others, userId] : others)}
              />
              <span dir="auto">{name}</span>
            </label>
            {roleCan(roleId, 'stats:read') ? null : <span className="field-hint">{t('report.noRights')}</span>}
            {stored.get(userId)?.unsubscribedAt ? <span className="field-hint">{t('report.unsubscribed')}</span> : null}
          </div>
        )
      })}
    </fieldset>
  )
}

function Settings({ report }: { readonly report: StatsReport }) {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [typed, setTyped] = useTyped(typedOf(report))
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useTransition()
  const submit = () =>
    save(async () => {
      setFailure(undefined)
      const recipients = typed.chosen.map(userId => ({ userId }))
      try {
        const answer = await api.statsReport.setReport({ body: { rhythm: typed.rhythm || null, recipients } })
        client.setQueryData(reportQuery(slug).queryKey, answer)
        setTyped(typedOf(answer))
        toast(t('report.saved'), { kind: 'success' })
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    // An `action` would reset the selects to what they showed first.
    <form
      className="form"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isSaving) submit()
      }}
    >
      <label className="field">
        <span>{t('report.rhythm.label')}</span>
        <select
          value={typed.rhythm}
          onChange={({ target }) => setTyped({ ...typed, rhythm: target.value as Typed['rhythm'] })}
        >
          {(['', ...reportRhythms] as const).map(rhythm => (
            <option key={rhythm} value={rhythm}>
              {t(`report.rhythm.${rhythm || 'none'}`)}
            </option>
          ))}
        </select>
      </label>
      {typed.rhythm ? (
        <Recipients report={report} chosen={typed.chosen} onChoose={chosen => setTyped({ ...typed, chosen })} />
      ) : null}
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="card-buttons">
        <button type="submit" className="button button-primary" aria-disabled={isSaving}>
          {t(isSaving ? 'report.saving' : 'report.save')}
        </button>
        <SendNow />
      </div>
    </form>
  )
}

/** The report by mail: who manages the organization sets it, others see whether they get it. */
export function Report() {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const { language, timeZone } = useFacts()
  const report = useAnswer(reportQuery(slug))
  const mayChange = roleCan(effectiveRole(role), 'org:update')
  const getsIt = report.rhythm !== null && report.recipients.some(({ gets }) => gets)
  return (
    <section className="card stats-report" aria-labelledby="report">
      <h2 id="report">{t('report.heading')}</h2>
      <p>{mayChange ? t('report.text', { product: PRODUCT_NAME }) : t(getsIt ? 'report.yours' : 'report.others')}</p>
      {report.hasMailServer ? null : <p className="notice notice-warn">{t('report.noServer')}</p>}
      {mayChange || getsIt ? (
        <p role="status">
          {report.nextAt ? t('report.next', { when: fullTime(report.nextAt, language, timeZone) }) : t('report.off')}
        </p>
      ) : null}
      {mayChange ? (
        <Settings report={report} />
      ) : (
        <div className="card-buttons">
          <SendNow />
        </div>
      )}
    </section>
  )
}
