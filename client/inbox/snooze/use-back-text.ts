import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { orgClockQuery } from '#client/shell/org-clock.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { backText } from './back-text.ts'

/** The time zone of the organization; until it is loaded, the reader's. */
export const useOrgZone = (org: string): string => {
  const { timeZone } = useMoment()
  return useQuery({ ...orgClockQuery(org), enabled: typeof window !== 'undefined' }).data?.timeZone ?? timeZone
}

/** `backText` in the reader's language and the organization's time zone. */
export const useBackText = (org: string): ((iso: string) => string) => {
  const { t, i18n } = useTranslation('inbox')
  const { now } = useMoment()
  const timeZone = useOrgZone(org)
  return iso => backText(iso, { now, timeZone, language: i18n.language as Language, t })
}
