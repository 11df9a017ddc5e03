import { useTranslation } from 'react-i18next'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { backText } from './back-text.ts'

/** `backText` in the reader's language. */
export const useBackText = (timeZone: string): ((iso: string) => string) => {
  const { t, i18n } = useTranslation('inbox')
  const { now } = useMoment()
  return iso => backText(iso, { now, timeZone, language: i18n.language as Language, t })
}
