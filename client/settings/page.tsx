import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, Outlet } from 'react-router'
import { paths } from '#shared/kernel/paths.ts'
import { type Capability, effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useOrg } from '../shell/viewer.ts'

const pages = [
  { page: 'organization' },
  { page: 'whatsapp', needs: 'connection:read' },
  { page: 'prices', needs: 'org:update' },
  { page: 'tags', needs: 'chat:read' },
  { page: 'answers', needs: 'chat:reply' },
  { page: 'account' },
  { page: 'profile' },
] as const satisfies readonly { page: string; needs?: Capability }[]

/** The frame of `/org/{slug}/settings`. */
export default function SettingsPage() {
  const { t } = useTranslation('settings')
  const { slug, role } = useOrg()
  const may = (needs: Capability | undefined) => needs === undefined || roleCan(effectiveRole(role), needs)
  return (
    <main className="sheet sheet-narrow">
      <div className="sheet-head">
        <h1>{t('title')}</h1>
      </div>
      <nav className="tabs" aria-label={t('title')}>
        {pages.map(({ page, ...rest }) =>
          may('needs' in rest ? rest.needs : undefined) ? (
            <NavLink key={page} to={paths.settingsOf(slug, page)}>
              {t(page)}
            </NavLink>
          ) : null,
        )}
      </nav>
      <Suspense fallback={<span className="skeleton content-skeleton" />}>
        <Outlet />
      </Suspense>
    </main>
  )
}
