import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, replace } from 'react-router'
import { setActiveOrganization } from '#client/app/calls/auth-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { queryFor, settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { SignOut } from '#client/shell/account/sign-out.tsx'
import { landingOf } from '#client/shell/navigation.ts'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { mayCreateOrg, requireViewer, useViewer } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import { fold } from '#shared/kernel/fold.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { fullTime, rowTime } from '#shared/kernel/time.ts'
import { maxUnreadCounted, type OrgListed } from '#shared/orgs/api.ts'
import type { ReceivedInvitation } from '#shared/orgs/invitations.ts'
import { InvitationActions } from './invitation-actions.tsx'
import { receivedQuery } from './queries.ts'
import './orgs.css'

const searchFrom = 9

const orgsQuery = queryFor(undefined, 'orgs.listOrganizations', {})
const isPending = ({ status }: ReceivedInvitation) => status === 'pending'

/** With one organization and no invitation there is nothing to choose. */
export const loader = async (args: LoaderFunctionArgs) => {
  await requireViewer(args)
  const [{ items: orgs }, { items: invitations }] = await Promise.all([
    settle<{ items: OrgListed[] }>(args, orgsQuery),
    settle<{ items: ReceivedInvitation[] }>(args, receivedQuery),
  ])
  const [only, ...others] = orgs
  if (only && !others.length && !invitations.some(isPending)) throw replace(landingOf(only))
  return null
}

function Row({ org, onChoose, isBusy }: { org: OrgListed; onChoose(org: OrgListed): void; isBusy: boolean }) {
  const { t, i18n } = useTranslation('orgs')
  const { now, timeZone } = useFacts()
  const language = i18n.language as Language
  const at = org.lastActivityAt
  return (
    <li>
      <a
        className="org-row"
        href={paths.chats(org.slug)}
        aria-busy={isBusy}
        onClick={event => {
          if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
          event.preventDefault()
          onChoose(org)
        }}
      >
        <Logo name={org.name} image={org.logo} />
        <span className="org-row-name">
          <strong dir="auto">{org.name}</strong>
          <span>
            {t(`role.${org.role}` as 'role.owner', { defaultValue: org.role })}
            {at ? (
              <>
                {' · '}
                <time dateTime={at} title={fullTime(at, language, timeZone)}>
                  {t('list.lastActivity', { when: rowTime(at, now, language, timeZone) ?? t('list.yesterday') })}
                </time>
              </>
            ) : null}
          </span>
        </span>
        {org.unread ? (
          <span className="count">
            <span aria-hidden="true">{org.unread > maxUnreadCounted ? `${maxUnreadCounted}+` : org.unread}</span>
            <span className="sr-only">{t('list.unread', { count: org.unread })}</span>
          </span>
        ) : null}
        <Icon name="chevron" className="turn-right" />
      </a>
    </li>
  )
}

function Received({ invitation, onAnswered }: { invitation: ReceivedInvitation; onAnswered(accepted: boolean): void }) {
  const { t } = useTranslation('orgs')
  const { organization, inviter, team } = invitation
  const role = t(`role.${invitation.role as 'member'}`)
  return (
    <li className="received">
      <div className="received-who">
        <Logo name={organization.name} image={organization.logo} />
        <span className="org-row-name">
          <strong dir="auto">{organization.name}</strong>
          <span>
            {team
              ? t('list.invitedToTeam', { inviter: inviter.name, role, team })
              : t('list.invitedAs', { inviter: inviter.name, role })}
          </span>
        </span>
      </div>
      <InvitationActions
        id={invitation.id}
        org={organization.name}
        onAccepted={() => onAnswered(true)}
        onRejected={() => onAnswered(false)}
      />
    </li>
  )
}

/** The start page of people with several organizations, an invitation, or neither. */
export default function OrganizationsPage() {
  const { t } = useTranslation('orgs')
  const client = useQueryClient()
  const viewer = useViewer()
  const { site } = useFacts()
  const { items: orgs } = useAnswer(orgsQuery)
  const invitations = useAnswer(receivedQuery).items.filter(isPending)
  const [search, setSearch] = useState('')
  const [chosen, setChosen] = useState<string>()
  const mayCreate = mayCreateOrg(viewer, site)
  const choose = async (org: { id: string; slug: string }) => {
    setChosen(org.id)
    try {
      await setActiveOrganization(org.id)
      // A full page load, because cached data belongs to another organization.
      location.assign(paths.chats(org.slug))
    } catch {
      setChosen(undefined)
      toast(t('list.switchFailed'), { kind: 'error' })
    }
  }
  const answered = (invitation: ReceivedInvitation, accepted: boolean) => {
    // Accepting activates the organization.
    if (accepted) return location.assign(paths.chats(invitation.organization.slug))
    client.setQueryData(
      receivedQuery.queryKey,
      before => before && { items: before.items.filter(({ id }) => id !== invitation.id) },
    )
    toast(t('list.rejected', { org: invitation.organization.name }), { kind: 'info' })
  }
  const found = orgs.filter(({ name, slug }) => fold(`${name} ${slug}`).includes(fold(search.trim())))
  const isNowhere = !orgs.length && !invitations.length
  return (
    <PublicFrame title={t('list.title')}>
      <div className="stack">
        <div>
          <h1>{t('list.title')}</h1>
          <p className="lead">
            {orgs.length
              ? t('list.text')
              : invitations.length
                ? t('list.invited')
                : mayCreate
                  ? t('list.emptyMayCreate')
                  : t('list.empty')}
          </p>
        </div>
        {invitations.length ? (
          <section aria-labelledby="received-title">
            <h2 className="section-title" id="received-title">
              {t('list.invitations')}
            </h2>
            <ul className="org-list">
              {invitations.map(invitation => (
                <Received key={invitation.id} invitation={invitation} onAnswered={yes => answered(invitation, yes)} />
              ))}
            </ul>
          </section>
        ) : null}
        {orgs.length >= searchFrom ? (
          <div className="field">
            <input
              type="search"
              value={search}
              placeholder={t('list.search')}
              aria-label={t('list.search')}
              onChange={({ target }) => setSearch(target.value)}
            />
          </div>
        ) : null}
        {found.length ? (
          <ul className="org-list" aria-label={t('list.title')}>
            {found.map(org => (
              <Row key={org.id} org={org} isBusy={chosen === org.id} onChoose={choose} />
            ))}
          </ul>
        ) : orgs.length ? (
          <p className="field-hint" role="status">
            {t('list.noMatch', { search: search.trim() })}
          </p>
        ) : null}
        {isNowhere ? (
          <ol className="ways stack-l">
            <li>
              <Icon name="unread" />
              <span>{t('list.wayInvited', { email: viewer.user.email })}</span>
            </li>
            {mayCreate ? (
              <li>
                <Icon name="plus" />
                <span>{t('list.wayCreate')}</span>
              </li>
            ) : null}
          </ol>
        ) : null}
        {mayCreate ? (
          <Link className={`button button-wide${isNowhere ? ' button-primary' : ''}`} to={paths.companyCreation()}>
            <Icon name="plus" />
            {t('list.create')}
          </Link>
        ) : null}
        {viewer.user.role === 'admin' ? (
          <Link className="link" to={paths.siteAdmin()}>
            {t('list.site')}
          </Link>
        ) : null}
        <div className="row-between">
          <span className="field-hint">{t('list.signedInAs', { email: viewer.user.email })}</span>
          <SignOut className="link" />
        </div>
      </div>
    </PublicFrame>
  )
}
