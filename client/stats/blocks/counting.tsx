import { useTranslation } from 'react-i18next'

/** Says that older messages are still being counted, and how far that is. */
export function Counting({ counting }: { readonly counting: { readonly done: number } | null }) {
  const { t, i18n } = useTranslation('stats')
  if (!counting) return null
  const share = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(counting.done)
  return (
    <p className="notice" role="status">
      {t('summary.counting', { share })}
    </p>
  )
}
