import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { setActiveOrganization } from '#client/app/calls/auth-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Menu } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import { fold } from '#shared/kernel/fold.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { OrgSummary, Viewer } from '#shared/orgs/api.ts'
import { sameSection } from '../navigation.ts'
import { mayCreateOrg, useOrg, useViewer, viewerQuery } from '../viewer.ts'
import { closeSheet } from './sidebar-state.ts'

/** With this many organizations or more, the switcher has a search field. */
const searchFrom = 9
const withKeys = 9

const isApple = () => /Mac|iP(?:hone|ad|od)/.test(navigator.platform)

/** Activates an organization and opens the same section in it. */
export const useSwitch = (): ((org: OrgSummary) => Promise<void>) => {
  const { t } = useTranslation('shell')
  const client = useQueryClient()
  const navigate = useNavigate()
  return async org => {
    try {
      await setActiveOrganization(org.id)
    } catch {
      toast(t('org.switchFailed'), { kind: 'error' })
      return
    }
    client.setQueryData<Viewer>(viewerQuery.queryKey, viewer => viewer && { ...viewer, active: org })
    closeSheet()
    // The current address: a key can arrive before effects of the page that was just painted.
    await navigate(sameSection(window.location.pathname, org))
  }
}

/** Cmd/Ctrl+1…9: the organizations in the order of the list. */
const useNumberKeys = (organizations: readonly OrgSummary[], current: OrgSummary, go: (org: OrgSummary) => void) => {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey || event.shiftKey || event.defaultPrevented) return
      if (!/^[1-9]$/.test(event.key)) return
      const wanted = organizations[Number(event.key) - 1]
      if (!wanted) return
      event.preventDefault()
      if (wanted.id !== current.id) go(wanted)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  })
}

function Choices({ go }: { go(org: OrgSummary): void }) {
  const { t } = useTranslation('shell')
  const viewer = useViewer()
  const { site } = useFacts()
  const { pathname } = useLocation()
  const current = useOrg()
  const [wanted, setWanted] = useState('')
  const { organizations } = viewer
  const shown = organizations
    .map((org, index) => ({ org, key: index < withKeys ? index + 1 : undefined }))
    .filter(({ org }) => fold(org.name).includes(fold(wanted.trim())))
  return (
    <>
      {organizations.length >= searchFrom ? (
        <input
          type="search"
          className="menu-search"
          aria-label={t('org.search')}
          placeholder={t('org.search')}
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
      ) : null}
      <ul className="menu-list">
        {shown.map(({ org, key }) => (
          <li key={org.id}>
            <a
              className="menu-item menu-org"
              data-item=""
              href={sameSection(pathname, org)}
              aria-current={org.id === current.id ? 'true' : undefined}
              onClick={event => {
                if (event.metaKey || event.ctrlKey || event.shiftKey) return
                event.preventDefault()
                if (org.id !== current.id) go(org)
              }}
            >
              <Logo name={org.name} image={org.logo} />
              <span className="side-two">
                <strong dir="auto">{org.name}</strong>
                <span>{t('org.caption')}</span>
              </span>
              {org.id === current.id ? <Icon name="tick" /> : null}
              {key ? <kbd>{isApple() ? `⌘${key}` : `Ctrl ${key}`}</kbd> : null}
            </a>
          </li>
        ))}
      </ul>
      {shown.length === 0 ? <p className="menu-note fine">{t('org.none')}</p> : null}
      <div className="menu-rest">
        <Link className="menu-item" data-item="" to={paths.organizations()}>
          <Icon name="building" />
          {t('org.all')}
        </Link>
        {viewer.isBound ? (
          <Link className="menu-item" data-item="" to={paths.ownLogin(paths.organizations())}>
            <Icon name="building" />
            {t('org.others')}
          </Link>
        ) : null}
        {mayCreateOrg(viewer, site) && !viewer.isBound ? (
          <Link className="menu-item" data-item="" to={paths.companyCreation()}>
            <Icon name="plus" />
            {t('org.create')}
          </Link>
        ) : null}
      </div>
    </>
  )
}

/** The current organization, and the list of others. */
export function Switcher() {
  const { t } = useTranslation('shell')
  const org = useOrg()
  const { organizations } = useViewer()
  const [isBusy, setBusy] = useState(false)
  const change = useSwitch()
  const go = (wanted: OrgSummary) => {
    setBusy(true)
    void change(wanted).finally(() => setBusy(false))
  }
  useNumberKeys(organizations, org, go)
  return (
    <Menu
      label={t('org.switch')}
      className="side-org"
      panelClass="menu-orgs"
      side="below-start"
      role="group"
      tip={org.name}
      button={
        <>
          <Logo name={org.name} image={org.logo} />
          <span className="side-two" aria-busy={isBusy}>
            <strong dir="auto">{org.name}</strong>
            <span>{t('org.caption')}</span>
          </span>
          <Icon name="updown" className="side-mark" />
        </>
      }
    >
      {() => <Choices go={go} />}
    </Menu>
  )
}
