import { Component, type ReactNode, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import { keysQuery, paths, ssoQuery } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { longDate } from '#shared/kernel/time.ts'
import { useOpenedByAddress } from './opened-by-address.ts'
import { organizationQuery, showsTeams } from './queries.ts'

const ApiKeysDialog = lazyDialog(() => import('./api-keys/dialog.tsx'))
const SsoDialog = lazyDialog(() => import('./sso/dialog.tsx'))

function Facts() {
  const { t, i18n } = useTranslation('admin')
  const { slug } = useOrg()
  const { timeZone } = useFacts()
  const organization = useAnswer(organizationQuery(slug))
  return (
    <div className="admin-org">
      <Logo name={organization.name} image={organization.logo} />
      <div>
        <h1 id="org-name">
          <bdi>{organization.name}</bdi>
        </h1>
        <dl>
          <div>
            <dt>{t('slug')}</dt>
            <dd>{organization.slug}</dd>
          </div>
          <div>
            <dt>{t('created')}</dt>
            <dd>{longDate(organization.createdAt, i18n.language === 'en' ? 'en' : 'es', timeZone)}</dd>
          </div>
        </dl>
      </div>
    </div>
  )
}

const Skeleton = () => (
  <div className="admin-org" aria-hidden="true">
    <span className="logo" />
    <div>
      <span className="skeleton admin-line admin-line-title" />
      <span className="skeleton admin-line" />
    </div>
  </div>
)

/** An error boundary: the page works without these facts. */
class WithoutFacts extends Component<{ says: string; title: string; children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }
  static getDerivedStateFromError() {
    return { failed: true }
  }
  override render() {
    const { says, title, children } = this.props
    if (!this.state.failed) return children
    return (
      <div className="admin-org">
        <div>
          <h1 id="org-name">{title}</h1>
          <p role="alert">{says}</p>
        </div>
      </div>
    )
  }
}

/** Narrow screens scroll the strip: it opens at the current tab. */
const scrollToCurrent = (strip: HTMLElement | null): void => {
  const current = strip?.querySelector<HTMLElement>('[aria-current]')
  if (strip && current) strip.scrollLeft = current.offsetLeft - (strip.clientWidth - current.offsetWidth) / 2
}

/** The pages of the administration that the person may open. */
function Tabs() {
  const { t } = useTranslation('admin')
  const { slug, role: given } = useOrg()
  const { pathname, search } = useLocation()
  const role = effectiveRole(given)
  const managesKeys = roleCan(role, 'integration:manage')
  const areTeams = showsTeams(new URLSearchParams(search))
  const here = pathname.replace(/\/$/, '')
  const people = here === paths.org(slug)
  const tabs = [
    { name: 'members', to: paths.org(slug), isCurrent: people && !areTeams },
    { name: 'teams', to: paths.teams(slug), isCurrent: people && areTeams },
    ...(managesKeys
      ? [
          { name: 'calls', to: paths.apiCalls(slug), isCurrent: here === paths.apiCalls(slug) } as const,
          { name: 'deliveries', to: paths.deliveries(slug), isCurrent: here === paths.deliveries(slug) } as const,
        ]
      : []),
    ...(roleCan(role, 'audit:read')
      ? [{ name: 'audit', to: paths.audit(slug), isCurrent: here === paths.audit(slug) } as const]
      : []),
  ] as const
  const current = tabs.find(({ isCurrent }) => isCurrent)?.name
  return (
    <nav key={current} ref={scrollToCurrent} className="tabs" aria-label={t('tabs.label')}>
      {tabs.map(({ name, to, isCurrent }) => (
        <Link key={name} to={to} aria-current={isCurrent ? 'page' : undefined} preventScrollReset>
          {t(`tabs.${name}`)}
        </Link>
      ))}
    </nav>
  )
}

/** The organization's name and facts, and the tabs. */
export function OrganizationCard() {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const role = effectiveRole(org.role)
  const [showsKeys, setShowsKeys] = useOpenedByAddress(keysQuery)
  const [showsSso, setShowsSso] = useOpenedByAddress(ssoQuery)
  const managesSso = roleCan(role, 'sso:manage')
  const managesKeys = roleCan(role, 'integration:manage')
  return (
    <section className="card admin-card" aria-labelledby="org-name">
      <div className="admin-head">
        <WithoutFacts says={t('noData')} title={org.name}>
          <Suspense fallback={<Skeleton />}>
            <Facts />
          </Suspense>
        </WithoutFacts>
        <div className="admin-tools wrap">
          {managesSso ? (
            <button type="button" className="button" onClick={() => setShowsSso(true)}>
              {t('sso.title')}
            </button>
          ) : null}
          {managesKeys ? (
            <button type="button" className="button" onClick={() => setShowsKeys(true)}>
              {t('keys.title')}
            </button>
          ) : null}
        </div>
      </div>
      {managesSso && showsSso ? <SsoDialog onClose={() => setShowsSso(false)} /> : null}
      {managesKeys && showsKeys ? <ApiKeysDialog onClose={() => setShowsKeys(false)} /> : null}
      <Tabs />
    </section>
  )
}
