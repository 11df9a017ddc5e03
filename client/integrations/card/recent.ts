import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { clockTime, dayWord, shortTime } from '#shared/kernel/time.ts'

/** A time in a row: `hoy, 14:05`, `ayer, 14:05` or `2 oct 2026, 14:05`. */
export function useRecent(): (iso: string) => string {
  const { t } = useTranslation('integrations')
  const { language, timeZone, now } = useFacts()
  return iso => {
    const day = dayWord(iso, now, timeZone)
    return day ? t(day, { time: clockTime(iso, timeZone) }) : shortTime(iso, language, timeZone)
  }
}
