import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, Outlet } from 'react-router'
import { paths } from '#shared/paths.ts'
import { useOrg } from '../shell/viewer.ts'

const pages = ['organization', 'account', 'profile'] as const

/** Around the pages of `/org/{slug}/settings`. */
export default function SettingsPage() {
  const { t } = useTranslation('settings')
  const { slug } = useOrg()
  return (
    <main className="sheet sheet-narrow">
      <div className="sheet-head">
        <h1>{t('title')}</h1>
      </div>
      <nav className="tabs" aria-label={t('title')}>
        {pages.map(page => (
          <NavLink key={page} to={paths.settingsOf(slug, page)}>
            {t(page)}
          </NavLink>
        ))}
      </nav>
      <Suspense fallback={<span className="skeleton content-skeleton" />}>
        <Outlet />
      </Suspense>
    </main>
  )
}
