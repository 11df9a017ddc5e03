import { useTranslation } from 'react-i18next'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'

/** The audience of a send, in one line. */
export function AudienceWords({ audience }: Pick<BulkSend, 'audience'>) {
  const { t, i18n } = useTranslation('bulk-sends')
  const tags = new Intl.ListFormat(i18n.language, {
    type: audience.match === 'all' ? 'conjunction' : 'disjunction',
  }).format(audience.tags)
  const parts = [
    ...(audience.tags.length ? [t('audience.tagged', { tags })] : []),
    ...(audience.hasNumbers ? [t('audience.pasted')] : []),
    ...(audience.hasFile ? [t('audience.file')] : []),
    ...(audience.segment ? [t('audience.segment', { name: audience.segment })] : []),
    ...(audience.againOf ? [t('audience.againOf', { name: audience.againOf })] : []),
    ...(audience.unansweredOf ? [t('audience.unansweredOf', { name: audience.unansweredOf })] : []),
  ]
  const [first = '', ...rest] = parts.join(' · ')
  return <>{first.toLocaleUpperCase(i18n.language) + rest.join('')}</>
}
