import { useEffect, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, replace, useLocation, useParams, useSearchParams } from 'react-router'
import { signOut } from '#client/app/calls/auth-api.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { returnToOf } from '#client/app/queries/guard.ts'
import { queryFor, settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { loadViewer, useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Logo } from '#client/ui/pictures/logo.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { fullTime } from '#shared/kernel/time.ts'
import type { InvitationStatus, LinkedInvitation } from '#shared/orgs/invitations.ts'
import { InvitationActions } from './invitation-actions.tsx'
import { receivedQuery } from './queries.ts'
import './orgs.css'

const idForm = /^[0-9a-z]{24}$/
const welcomeMs = 1500

const linkedQuery = (id: string) => queryFor(undefined, 'invitations.getLinked', { params: { id } })

const leadsTo = (invitation: LinkedInvitation | null, org: string | undefined): invitation is LinkedInvitation =>
  invitation !== null && (invitation.organization.slug === org || invitation.organization.id === org)

/** Loads the invitation of `?id=`, otherwise the signed-in person's invitation to the organization. */
export const loader = async (args: LoaderFunctionArgs) => {
  const { org = '' } = args.params
  const viewer = await loadViewer(args)
  const id = new URL(args.request.url).searchParams.get('id') ?? undefined
  if (id === undefined) {
    if (!viewer) throw replace(paths.login(returnToOf(args.request)))
    const { items } = await settle<{
      items: { id: string; status: InvitationStatus; organization: { id: string; slug: string } }[]
    }>(args, receivedQuery)
    const ours = items.filter(({ organization }) => organization.slug === org || organization.id === org)
    const found = ours.find(({ status }) => status === 'pending') ?? ours[0]
    if (found) throw replace(paths.invitation(org, found.id))
    return null
  }
  if (!idForm.test(id)) return null
  const { invitation } = await settle<{ invitation: LinkedInvitation | null }>(args, linkedQuery(id))
  if (leadsTo(invitation, org) && invitation.member) throw replace(paths.chats(invitation.organization.slug))
  return null
}

const Head = ({ invitation, title }: { invitation: LinkedInvitation; title: string }) => (
  <div className="invitation-head">
    <Logo name={invitation.organization.name} image={invitation.organization.logo} />
    <h1>{title}</h1>
  </div>
)

const useReturn = () => {
  const { pathname, search } = useLocation()
  return paths.login(pathname + search)
}

/** Not signed in: only the invited person may continue. */
function SignInFirst({ invitation }: { invitation: LinkedInvitation }) {
  const { t } = useTranslation('orgs')
  const href = useReturn()
  return (
    <div className="stack">
      <Head invitation={invitation} title={t('invitation.title', { org: invitation.organization.name })} />
      <p className="lead">{t('invitation.signInAs', { email: invitation.email })}</p>
      <a className="button button-primary button-wide" href={href}>
        {t('invitation.signIn')}
      </a>
    </div>
  )
}

/** The invitation is for another address and cannot be accepted. */
function OtherAccount({ invitation }: { invitation: LinkedInvitation }) {
  const { t } = useTranslation('orgs')
  const { user } = useViewer()
  const href = useReturn()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isLeaving, leave] = useTransition()
  const change = () =>
    leave(async () => {
      try {
        await signOut()
        location.replace(href)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <div className="stack">
      <Head invitation={invitation} title={t('invitation.otherTitle')} />
      <p className="lead">
        {t('invitation.otherText', {
          org: invitation.organization.name,
          email: invitation.email,
          own: user.email,
        })}
      </p>
      <button type="button" className="button button-primary button-wide" onClick={change} disabled={isLeaving}>
        {t('invitation.changeAccount')}
      </button>
      {failure ? <Fault>{failure}</Fault> : null}
      <Link className="link" to={paths.organizations()}>
        {t('invitation.myOrganizations')}
      </Link>
    </div>
  )
}

function Pending({ invitation, onAnswered }: { invitation: LinkedInvitation; onAnswered(how: Answer): void }) {
  const { t, i18n } = useTranslation('orgs')
  const { timeZone } = useFacts()
  const { details, organization } = invitation
  if (!details) return null
  const role = details.role as 'member'
  return (
    <div className="stack">
      <Head invitation={invitation} title={t('invitation.title', { org: organization.name })} />
      <p className="lead">{t('invitation.from', { inviter: details.inviter })}</p>
      <dl className="invitation-facts stack-l box">
        <div>
          <dt>{t('invitation.role')}</dt>
          <dd>
            <strong>{t(`role.${role}`)}</strong>
            <span>{t(`roleText.${role}`)}</span>
          </dd>
        </div>
        {details.team ? (
          <div>
            <dt>{t('invitation.team')}</dt>
            <dd>{details.team}</dd>
          </div>
        ) : null}
        <div>
          <dt>{t('invitation.until')}</dt>
          <dd>{fullTime(details.expiresAt, i18n.language as Language, timeZone)}</dd>
        </div>
      </dl>
      <InvitationActions
        id={invitation.id}
        org={organization.name}
        asksName
        onAccepted={() => onAnswered('accepted')}
        onRejected={() => onAnswered('rejected')}
      />
    </div>
  )
}

function Welcome({ invitation }: { invitation: LinkedInvitation }) {
  const { t } = useTranslation('orgs')
  const href = paths.chats(invitation.organization.slug)
  // A full page load, because cached data belongs to another organization.
  useEffect(() => {
    const timer = setTimeout(() => location.assign(href), welcomeMs)
    return () => clearTimeout(timer)
  }, [href])
  return (
    <div className="stack" role="status">
      <Head invitation={invitation} title={t('invitation.welcome', { org: invitation.organization.name })} />
      <p className="lead">{t('invitation.welcomeText')}</p>
      <a className="button button-primary button-wide" href={href}>
        {t('invitation.enter')}
      </a>
    </div>
  )
}

/** It can no longer be accepted: says why, and how to get another. */
function Closed({
  invitation,
  status,
}: {
  invitation: LinkedInvitation
  status: Exclude<InvitationStatus, 'pending'>
}) {
  const { t } = useTranslation('orgs')
  const { isSignedIn } = useFacts()
  const api = useApi()
  const href = useReturn()
  const failureText = useFailureText()
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isAsking, ask] = useTransition()
  const askAgain = () =>
    ask(async () => {
      setFailure(undefined)
      try {
        await api.invitations.askAgain({ params: { id: invitation.id } })
        setAsked(true)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <div className="stack">
      <Head invitation={invitation} title={t(`invitation.closed.${status}.title`)} />
      <p className="lead">{t(`invitation.closed.${status}.text`, { org: invitation.organization.name })}</p>
      {isAsked ? (
        <p className="notice notice-good" role="status">
          <Icon name="tick" />
          <span>{t('invitation.asked')}</span>
        </p>
      ) : (
        <button type="button" className="button button-primary button-wide" onClick={askAgain} disabled={isAsking}>
          {isAsking ? t('invitation.asking') : t('invitation.askAgain')}
        </button>
      )}
      {failure ? <Fault>{failure}</Fault> : null}
      {isSignedIn ? (
        <Link className="link" to={paths.organizations()}>
          {t('invitation.myOrganizations')}
        </Link>
      ) : (
        <a className="link" href={href}>
          {t('invitation.signIn')}
        </a>
      )}
    </div>
  )
}

function None() {
  const { t } = useTranslation('orgs')
  const { isSignedIn } = useFacts()
  return (
    <div className="stack">
      <div>
        <h1>{t('invitation.none')}</h1>
        <p className="lead">{t('invitation.noneText')}</p>
      </div>
      <a className="button button-primary button-wide" href={isSignedIn ? paths.organizations() : paths.login()}>
        {t(isSignedIn ? 'invitation.myOrganizations' : 'invitation.signIn')}
      </a>
    </div>
  )
}

type Answer = 'accepted' | 'rejected'

function Found({ id, org }: { id: string; org: string | undefined }) {
  const data = useAnswer(linkedQuery(id))
  const { isSignedIn } = useFacts()
  const [answered, setAnswered] = useState<Answer>()
  const { invitation } = data
  if (!leadsTo(invitation, org)) return <None />
  if (answered === 'accepted') return <Welcome invitation={invitation} />
  if (answered === 'rejected') return <Closed invitation={invitation} status="rejected" />
  if (invitation.status !== 'pending') return <Closed invitation={invitation} status={invitation.status} />
  if (!isSignedIn) return <SignInFirst invitation={invitation} />
  return invitation.mine ? (
    <Pending invitation={invitation} onAnswered={setAnswered} />
  ) : (
    <OtherAccount invitation={invitation} />
  )
}

/** Opened by the link in an invitation mail. */
export default function InvitationPage() {
  const { t } = useTranslation('orgs')
  const { org } = useParams()
  const [query] = useSearchParams()
  const id = query.get('id') ?? ''
  return (
    <PublicFrame title={t('invitation.pageTitle')}>
      {idForm.test(id) ? <Found id={id} org={org} /> : <None />}
    </PublicFrame>
  )
}
