import { useTranslation } from 'react-i18next'
import { isLanguage } from '#shared/language.ts'
import { fullTime, timeOfWall, wallTime } from '#shared/time.ts'
import { Field } from '../ui/field.tsx'
import { useMoment } from '../ui/moment.tsx'

/** Gives the time of what a reader's clock shows, as ISO 8601 UTC; undefined for what is none or has passed. */
export const useStartAt = (): ((wall: string) => string | undefined) => {
  const { now, timeZone } = useMoment()
  return wall => {
    const at = timeOfWall(wall, timeZone)
    return at !== undefined && Date.parse(at) > now ? at : undefined
  }
}

/** `el 23 de noviembre de 2026, 09:30`: on the same clock on which it was chosen. */
export const useStartsAt = (): ((startsAt: string) => string) => {
  const { t, i18n } = useTranslation('bulk')
  const { timeZone } = useMoment()
  return startsAt =>
    t('when.on', { time: fullTime(startsAt, isLanguage(i18n.language) ? i18n.language : 'es', timeZone) })
}

interface StartTimeProps {
  /** As the reader's clock shows it; empty: not chosen yet. */
  readonly wall: string
  readonly fault: string | undefined
  onChange(wall: string): void
}

/** A date and a time on the clock of whoever reads, who is told which that is. */
export function StartTime({ wall, fault, onChange }: StartTimeProps) {
  const { t } = useTranslation('bulk')
  const { now, timeZone } = useMoment()
  return (
    <Field
      type="datetime-local"
      label={t('when.at')}
      hint={<span suppressHydrationWarning>{t('when.zone', { zone: timeZone.replaceAll('_', ' ') })}</span>}
      min={wallTime(now, timeZone)}
      value={wall}
      fault={fault}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
