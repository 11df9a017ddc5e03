import { useTranslation } from 'react-i18next'
import { useMoment } from '#client/ui/text/moment.tsx'
import { isLanguage } from '#shared/kernel/language.ts'
import { momentText } from './moments.ts'

/** Says when something is due, in the reader's time zone. */
export const useMomentText = (): ((iso: string) => string) => {
  const { t, i18n } = useTranslation('inbox')
  const { now, timeZone } = useMoment()
  const words = {
    today: t('scheduled.today'),
    tomorrow: t('scheduled.tomorrow'),
    on: (day: string) => t('scheduled.on', { day }),
  }
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  return iso => momentText(iso, { now, timeZone, language, words })
}
