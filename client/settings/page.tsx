import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { NavLink, Outlet, useLocation, useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { allowed, pageNow, settingsPages } from './sections.ts'
import { UnsavedGuard } from './unsaved.tsx'
import './page.css'

type Group = keyof typeof settingsPages
type Page = (typeof settingsPages)[Group][number]

function Pages({ group, isStart }: { readonly group: Group; readonly isStart: boolean }) {
  const { t } = useTranslation('settings')
  const { slug, role } = useOrg()
  return (
    <section aria-labelledby={`settings-${group}`}>
      <h2 id={`settings-${group}`}>{t(`index.${group}`)}</h2>
      <ul>
        {allowed<Page>(settingsPages[group], role).map(({ page }) => (
          <li key={page}>
            <NavLink
              to={paths.settingsOf(slug, page)}
              // The first page stands beside the index until another is chosen.
              className={isStart && page === 'organization' ? 'settings-first' : undefined}
            >
              {t(`pages.${page}`)}
              <Icon name="chevron" />
            </NavLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Leads an address from before the pages were split to the page that has its card now. */
const useMovedCards = (start: string) => {
  const { slug } = useOrg()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const heading = hash.slice(1)
  const page = pathname.startsWith(`${start}/`) ? pathname.slice(start.length + 1) : undefined
  const moved = heading ? pageNow(page, heading) : undefined
  useEffect(() => {
    if (moved) void navigate(`${paths.settingsOf(slug, moved)}#${heading}`, { replace: true })
  }, [moved, heading, slug, navigate])
}

/** The frame of `/org/{slug}/settings`: an index beside the open page. On a phone the index is a page of its own. */
export default function SettingsPage() {
  const { t } = useTranslation('settings')
  const { slug } = useOrg()
  const { pathname } = useLocation()
  const start = paths.settings(slug)
  const isStart = pathname.replace(/\/$/, '') === start
  useMovedCards(start)
  return (
    <main className="sheet settings" data-start={isStart}>
      <div className="sheet-head in-bar">
        <h1>{t('title')}</h1>
      </div>
      <nav className="settings-nav" aria-label={t('title')}>
        <Pages group="organization" isStart={isStart} />
        <Pages group="person" isStart={isStart} />
      </nav>
      <UnsavedGuard>
        <div className="settings-body">
          <Suspense fallback={<span className="skeleton skeleton-rows content-skeleton" />}>
            <Outlet />
          </Suspense>
        </div>
      </UnsavedGuard>
    </main>
  )
}
