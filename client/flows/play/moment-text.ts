import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { clockTime, dayTitle, wallTime } from '#shared/kernel/time.ts'

/** `14:05`, with its day when that is another than the one it began on. */
export const useMomentText = (from: string | undefined) => {
  const { i18n } = useTranslation('flows')
  const { timeZone } = useFacts()
  const dayOf = (iso: string) => wallTime(Date.parse(iso), timeZone).slice(0, 10)
  return (at: string) => {
    const time = clockTime(at, timeZone)
    if (from === undefined || dayOf(from) === dayOf(at)) return time
    return `${dayTitle(at, Date.parse(at), isLanguage(i18n.language) ? i18n.language : 'es', timeZone)}, ${time}`
  }
}
