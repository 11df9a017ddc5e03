import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'

/** Stands for a median or a share of too few cases, and leads to them. */
export function FewCases({ count, href }: { readonly count: number; readonly href: string }) {
  const { t } = useTranslation('stats')
  const says = t('summary.fewWhy', { count })
  return (
    <Link className="stats-few" to={href} aria-label={says} data-tip={says}>
      —
    </Link>
  )
}
