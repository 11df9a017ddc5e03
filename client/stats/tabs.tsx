import { useTranslation } from 'react-i18next'
import { NavLink } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { paths } from '#shared/kernel/paths.ts'

/** The two parts of the statistics. */
export function StatsTabs() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  return (
    <nav className="tabs" aria-label={t('title')}>
      <NavLink to={paths.stats(slug)} end>
        {t('summary.title')}
      </NavLink>
      <NavLink to={paths.statsNow(slug)}>{t('now.title')}</NavLink>
    </nav>
  )
}
