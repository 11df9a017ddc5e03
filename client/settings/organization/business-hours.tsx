import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useFacts } from '#client/app/facts.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { DateInput } from '#client/ui/controls/date-input.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { fullTime, shortDate } from '#shared/kernel/time.ts'
import {
  type BusinessHours as Hours,
  type HoursSpan,
  maxExceptions,
  type Weekday,
  weekdays,
} from '#shared/orgs/business-hours.ts'
import { SaveButton } from '../save-button.tsx'
import { HoursSpans } from './hours-spans.tsx'
import './hours.css'
import { zoneCity } from '#client/ui/text/time-zone-label.ts'

const businessHoursQuery = (org: string | undefined) => queryFor(org, 'orgSettings.getBusinessHours', {})

const workdays = weekdays.slice(0, 5)

const usual = (): HoursSpan[] => [{ from: '09:00', to: '18:00' }]
/** Typical office hours, as a start. */
const usualHours = (): Hours => ({
  week: {
    monday: usual(),
    tuesday: usual(),
    wednesday: usual(),
    thursday: usual(),
    friday: usual(),
    saturday: [],
    sunday: [],
  },
  exceptions: [],
})

/** Dates that differ from their weekday. */
function Exceptions({ hours, onChange }: { hours: Hours; onChange(hours: Hours): void }) {
  const { t } = useTranslation('settings')
  const { language } = useFacts()
  const { exceptions } = hours
  const nameOf = (date: string) => (date ? shortDate(date, language, 'UTC') : t('hours.date'))
  const put = (at: number, change: Partial<Hours['exceptions'][number]>) =>
    onChange({ ...hours, exceptions: exceptions.map((one, index) => (index === at ? { ...one, ...change } : one)) })
  return (
    <>
      <h3>{t('hours.exceptions')}</h3>
      <p>{t('hours.exceptionsText')}</p>
      {exceptions.map(({ date, spans }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a date that is being typed is no name
        <div className="hours-day" key={at}>
          <div className="hours-name field hours-date">
            <DateInput
              label={t('hours.date')}
              aria-label={t('hours.date')}
              required
              value={date}
              onChange={date => put(at, { date })}
            />
          </div>
          <HoursSpans day={nameOf(date)} spans={spans} onChange={next => put(at, { spans: next })} />
          <button
            type="button"
            className="icon-button"
            aria-label={t('hours.removeDate', { date: nameOf(date) })}
            data-tip={t('hours.removeDateTip')}
            onClick={() => onChange({ ...hours, exceptions: exceptions.filter((_, index) => index !== at) })}
          >
            <Icon name="trash" />
          </button>
        </div>
      ))}
      {exceptions.length < maxExceptions ? (
        <button
          type="button"
          className="button"
          onClick={() => onChange({ ...hours, exceptions: [...exceptions, { date: '', spans: [] }] })}
        >
          {t('hours.addDate')}
        </button>
      ) : null}
    </>
  )
}

interface CopyHoursProps {
  readonly day: string
  /** On a phone, which shows no tips, the first button says in words what all of them do. */
  readonly isFirst: boolean
  onCopy(days: readonly Weekday[]): void
}

/** The menu that gives the hours of one day to others. */
function CopyHours({ day, isFirst, onCopy }: CopyHoursProps) {
  const { t } = useTranslation('settings')
  const label = t('hours.copyOf', { day })
  return (
    <Menu
      label={label}
      className={isFirst ? 'icon-button hours-copy' : 'icon-button'}
      side="below-end"
      tip={t('hours.copy')}
      button={
        <>
          <Icon name="copy" />
          {isFirst ? <span aria-hidden="true">{t('hours.copy')}</span> : null}
          <span className="sr-only">{label}</span>
        </>
      }
    >
      {() => (
        <>
          <MenuItem onClick={() => onCopy(weekdays)}>{t('hours.copyToAll')}</MenuItem>
          <MenuItem onClick={() => onCopy(workdays)}>{t('hours.copyToWorkdays')}</MenuItem>
        </>
      )}
    </Menu>
  )
}

/** The organization's opening hours. */
export function BusinessHours() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { language, timeZone } = useFacts()
  const stored = useAnswer(businessHoursQuery(org.slug))
  const [hours, setHours] = useTyped<Hours | null>(stored.hours)
  const [fault, setFault] = useState<string>()
  const [isSaving, save] = useWork()
  const isChanged = JSON.stringify(hours) !== JSON.stringify(stored.hours)
  const canSave = isChanged && !isSaving
  const { isOpen, opensAt } = stored
  const dayFault = (error: unknown): string | undefined => {
    const field = isApiError(error) ? (error.details[0]?.field ?? '') : ''
    const day = weekdays.find(one => field.includes(`.week.${one}`))
    if (day) return t('hours.badDay', { day: t(`hours.day.${day}`) })
    return field.includes('.exceptions') ? t('hours.badDate') : undefined
  }
  const setDays = (days: readonly Weekday[], spans: HoursSpan[]) =>
    hours && setHours({ ...hours, week: { ...hours.week, ...Object.fromEntries(days.map(day => [day, spans])) } })
  const submit = () =>
    save(async () => {
      setFault(undefined)
      try {
        const answer = await api.orgSettings.setBusinessHours({ body: { hours } })
        client.setQueryData(businessHoursQuery(org.slug).queryKey, answer)
        setHours(answer.hours)
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        setFault(dayFault(error) ?? failureText(error))
      }
    })
  return (
    <form className="form form-wide" action={() => (canSave ? submit() : undefined)} noValidate>
      <p>{t('hours.text', { zone: zoneCity(stored.timeZone) })}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={hours !== null}
          onChange={({ target }) => setHours(target.checked ? (stored.hours ?? usualHours()) : null)}
        />
        {t('hours.limited')}
      </label>
      {hours ? (
        <>
          <div className="hours-days stack-s">
            {weekdays.map((day, at) => (
              <div className="hours-day" key={day}>
                <span className="hours-name">{t(`hours.day.${day}`)}</span>
                <HoursSpans
                  day={t(`hours.day.${day}`)}
                  spans={hours.week[day]}
                  onChange={spans => setDays([day], spans)}
                />
                <CopyHours
                  day={t(`hours.day.${day}`)}
                  isFirst={at === 0}
                  onCopy={days => setDays(days, hours.week[day])}
                />
              </div>
            ))}
          </div>
          <Exceptions hours={hours} onChange={setHours} />
        </>
      ) : null}
      <p>
        {t(isOpen ? 'hours.openNow' : 'hours.closedNow')}
        {opensAt ? ` ${t('hours.opensAt', { when: fullTime(opensAt, language, timeZone) })}` : null}
      </p>
      {fault ? <Fault>{fault}</Fault> : null}
      <SaveButton
        canSave={canSave}
        onDiscard={() => {
          setHours(stored.hours)
          setFault(undefined)
        }}
      />
    </form>
  )
}
