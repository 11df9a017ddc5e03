import { Fragment, type ReactNode, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import { Quiet } from '#client/ui/feedback/quiet.tsx'
import { useLinkPresses } from '#client/ui/page/link-presses.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { isOrgRole, roleCan } from '#shared/kernel/permissions.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'
import { AccountMenu } from '../account/account-menu.tsx'
import { extrasFor, isWithin, linksFor, type NavigationItem, pagesBelow } from '../navigation.ts'
import { wabaQuery } from '../org-queries.ts'
import { useOrg } from '../viewer.ts'
import { closeSheet, sidebarId } from './sidebar-state.ts'
import { Switcher } from './switcher.tsx'
import { UnreadBadge, UnreadEvents, unreadBadgeId } from './unread-badge.tsx'

/** The business number, or a link to connect one. */
function BusinessNumber({ org }: { org: OrgSummary }) {
  const { t } = useTranslation('shell')
  const waba = useAnswer(wabaQuery(org.slug))
  const mayConnect = isOrgRole(org.role) && roleCan(org.role, 'connection:manage')
  if (waba.phone === null)
    return mayConnect ? (
      <Link
        className="side-number side-number-missing"
        to={`${paths.companyCreation()}?org=${org.slug}`}
        data-tip={t('number.connect')}
      >
        <Icon name="plug" />
        <span>{t('number.connect')}</span>
      </Link>
    ) : (
      <p className="side-number" data-tip={t('number.none')}>
        <Icon name="plug" />
        <span>{t('number.none')}</span>
      </p>
    )
  const trouble =
    waba.status === 'connected' ? '' : waba.status === 'blocked' ? t('number.blocked') : t('number.reauthorise')
  return (
    <>
      {trouble && mayConnect ? (
        <Link className="side-number side-number-missing" to={paths.integrations(org.slug)} data-tip={trouble}>
          <Icon name="warn" />
          <span>{trouble}</span>
        </Link>
      ) : trouble ? (
        <p className="side-number side-number-missing" data-tip={trouble}>
          <Icon name="warn" />
          <span>{trouble}</span>
        </p>
      ) : null}
      <div className="side-number" data-tip={waba.stale ? t('number.stale') : undefined}>
        <span>
          {waba.displayPhone}
          {waba.stale ? <span className="chip chip-amber">{t('number.staleShort')}</span> : null}
          {waba.kind === 'sandbox' ? <span className="chip chip-violet">{t('number.simulator')}</span> : null}
        </span>
        {waba.displayPhone ? (
          <CopyButton
            value={waba.displayPhone}
            label={t('number.copy')}
            done={t('number.copied')}
            failed={t('number.copyFailed')}
          />
        ) : null}
      </div>
    </>
  )
}

interface SectionProps {
  readonly item: NavigationItem
  readonly slug: string
  readonly pathname: string
  readonly className?: string
  readonly children?: ReactNode
}

/** A plain link: the surrounding navigation handles clicks. */
function Section({ item, slug, pathname, className, children }: SectionProps) {
  const { t } = useTranslation('shell')
  const name = t(item.title)
  return (
    <a
      href={item.url(slug)}
      className={className}
      data-tip={name}
      aria-current={isWithin(pathname, item, slug) ? 'page' : undefined}
      aria-describedby={children ? unreadBadgeId : undefined}
    >
      <Icon name={item.icon} />
      <span dir="auto">{name}</span>
      {children}
    </a>
  )
}

/** The organization's page, and the simulator if the number is simulated. */
function Extras({ org: { slug, role }, pathname }: { org: OrgSummary; pathname: string }) {
  const waba = useAnswer(wabaQuery(slug))
  return extrasFor({ role, sandbox: waba.kind === 'sandbox' }).map(item => (
    <Section key={item.title} item={item} slug={slug} pathname={pathname} className="side-extra" />
  ))
}

/** Organization, sections, person and business number. Plain elements, because it is in every page's first HTML. */
export function Sidebar() {
  const { t } = useTranslation('shell')
  const org = useOrg()
  const { pathname } = useLocation()
  const press = useLinkPresses()
  const chats = paths.chats(org.slug)
  const isInChats = pathname === chats || pathname.startsWith(`${chats}/`)
  // biome-ignore lint/correctness/useExhaustiveDependencies: after navigating, the person wants to see the new page
  useEffect(closeSheet, [pathname])
  return (
    <aside id={sidebarId} popover="auto" className="side" aria-label={t('side.label')}>
      <Switcher />
      {isInChats ? null : <UnreadEvents key={org.slug} org={org.slug} />}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link's key is a click */}
      <nav className="side-nav" aria-label={t('side.sections')} onClick={press}>
        {linksFor(org.role).map(item => (
          <Fragment key={item.title}>
            <Section item={item} slug={org.slug} pathname={pathname}>
              {item.url === paths.chats ? <UnreadBadge org={org.slug} /> : null}
            </Section>
            {pagesBelow(item, org.role).map(page => (
              <Section key={page.title} item={page} slug={org.slug} pathname={pathname} className="side-below" />
            ))}
          </Fragment>
        ))}
        <Quiet key={org.slug}>
          <Suspense fallback={null}>
            <Extras org={org} pathname={pathname} />
          </Suspense>
        </Quiet>
      </nav>
      <div className="side-foot">
        <AccountMenu />
        <Quiet key={org.slug}>
          <Suspense
            fallback={
              <span className="side-number side-number-skeleton">
                <span className="skeleton" />
              </span>
            }
          >
            <BusinessNumber org={org} />
          </Suspense>
        </Quiet>
      </div>
    </aside>
  )
}
