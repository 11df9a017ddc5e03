import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Empty } from './empty.tsx'

interface ClearFiltersProps {
  /** The address of the list without filters. */
  readonly all: string
  readonly className?: string
}

/** A link to the same list without its filters. */
export function ClearFilters({ all, className = 'link' }: ClearFiltersProps) {
  const { t } = useTranslation('common')
  return (
    <Link className={className} to={all} replace preventScrollReset>
      {t('clearFilters')}
    </Link>
  )
}

/** Shown where the filters leave nothing of a list. */
export const NoneFound = ({ says, all }: { readonly says: string; readonly all: string }) => (
  <Empty icon="clock" says={says} action={<ClearFilters all={all} className="button" />} />
)
