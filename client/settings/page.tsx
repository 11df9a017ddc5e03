import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import { paths } from '#shared/kernel/paths.ts'
import { useOrg } from '../shell/viewer.ts'
import { allowed, type SettingsSection, settingsPages } from './sections.ts'
import './page.css'

type Group = keyof typeof settingsPages
type Page = (typeof settingsPages)[Group][number]

/** The cards of the open page. */
function Sections({ page }: { readonly page: Page }) {
  const { t } = useTranslation('settings')
  const { role } = useOrg()
  const { hash } = useLocation()
  const sections = 'sections' in page ? allowed<SettingsSection>(page.sections, role) : []
  if (sections.length < 2) return null
  return (
    <ul className="settings-sections">
      {sections.map(({ id, title }) => (
        <li key={id}>
          <Link to={`#${id}`} replace aria-current={hash === `#${id}` ? 'location' : undefined}>
            {t(title)}
          </Link>
        </li>
      ))}
    </ul>
  )
}

function Pages({ group }: { readonly group: Group }) {
  const { t } = useTranslation('settings')
  const { slug, role } = useOrg()
  const { pathname } = useLocation()
  const pages = allowed<Page>(settingsPages[group], role)
  return (
    <section aria-labelledby={`settings-${group}`}>
      <h2 id={`settings-${group}`}>{t(`index.${group}`)}</h2>
      <ul>
        {pages.map(page => {
          const url = paths.settingsOf(slug, page.page)
          return (
            <li key={page.page}>
              <NavLink to={url}>{t(page.page)}</NavLink>
              {pathname === url ? <Sections page={page} /> : null}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

/** The frame of `/org/{slug}/settings`: an index beside the open page. */
export default function SettingsPage() {
  const { t } = useTranslation('settings')
  return (
    <main className="sheet settings">
      <div className="sheet-head">
        <h1>{t('title')}</h1>
      </div>
      <nav className="tabs settings-nav" aria-label={t('title')}>
        <Pages group="organization" />
        <Pages group="person" />
      </nav>
      <div className="settings-body">
        <Suspense fallback={<span className="skeleton content-skeleton" />}>
          <Outlet />
        </Suspense>
      </div>
    </main>
  )
}
