import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useLocation, useSearchParams } from 'react-router'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { apiOf, queryFor, settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { requireViewer, useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { isolated } from '#shared/kernel/bidi.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'
import { type AuthorizationRequest, type ProgramScope, sendingScope } from '#shared/programs/api.ts'
import { OrganizationChoice } from './organization-choice.tsx'
import { ScopeChoice } from './scope-choice.tsx'
import { useDestinationName } from './use-destination-name.ts'
import './programs.css'

/** Says that the organization demands single sign-on or a second factor first, with a link to it. */
function Demand({ org }: { org: OrgSummary }) {
  const { t } = useTranslation('programs')
  const { pathname, search } = useLocation()
  const name = isolated(org.name)
  return (
    <div className="notice notice-warn program-demand" role="status">
      <p>{t(org.ssoMissing ? 'ssoFirst' : 'factorFirst', { org: name })}</p>
      <a
        className="link"
        href={org.ssoMissing ? paths.orgLogin(org.slug, pathname + search) : paths.secondFactorSetup(org.slug)}
      >
        {t(org.ssoMissing ? 'ssoGo' : 'factorGo')}
      </a>
    </div>
  )
}

/** The names in the address are those of OAuth. */
const fields = {
  client_id: 'clientId',
  redirect_uri: 'redirectUri',
  response_type: 'responseType',
  code_challenge: 'codeChallenge',
  code_challenge_method: 'codeChallengeMethod',
  scope: 'scope',
  state: 'state',
  resource: 'resource',
} as const satisfies Record<string, keyof AuthorizationRequest>

const requestIn = (query: URLSearchParams): AuthorizationRequest =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (query.has(name) ? [[field, query.get(name)]] : [])),
  ) as AuthorizationRequest

const requestQuery = (request: AuthorizationRequest) => queryFor(undefined, 'programs.getRequest', { query: request })

export const loader = async (args: LoaderFunctionArgs) => {
  await settle(args, requestQuery(requestIn(new URL(args.request.url).searchParams)))
  await requireViewer(args)
  return null
}

/**
 * The request is wrong. Anybody can register a program, so the browser goes back to its address only when the person
 * says so. @see RFC 9700 §4.11.2
 */
function Faulty({ refusal, host }: { refusal: string; host: string }) {
  const { t } = useTranslation('programs')
  return (
    <div className="stack">
      <div>
        <h1>{t('faulty.heading')}</h1>
        <p className="lead">{t('faulty.text', { host })}</p>
      </div>
      <a className="button button-primary button-wide" href={refusal}>
        {t('faulty.back')}
      </a>
    </div>
  )
}

/** Shown if the address opens an app, because this page stays open. */
function Connected({ name, address }: { name: string; address: string }) {
  const { t } = useTranslation('programs')
  return (
    <div className="stack" role="status">
      <div>
        <h1 className="program-name">{t('connected.heading', { name })}</h1>
        <p className="lead">{t('connected.text')}</p>
      </div>
      <a className="button button-wide" href={address}>
        {t('connected.open', { name })}
      </a>
    </div>
  )
}

function Consent({ request }: { request: AuthorizationRequest }) {
  const { t } = useTranslation('programs')
  const client = useQueryClient()
  const failureText = useFailureText()
  const { program, scopes: asked, refusal, isFaulty } = useAnswer(requestQuery(request))
  const { user, organizations, active } = useViewer()
  const destinationName = useDestinationName()
  const [orgId, setOrgId] = useState((active ?? organizations[0])?.id)
  const [chosen, setChosen] = useState<readonly ProgramScope[]>(asked.filter(scope => scope !== sendingScope))
  const [failure, setFailure] = useState<string>()
  const [answer, setAnswer] = useState<string>()
  const [isWorking, work] = useTransition()
  const org = organizations.find(one => one.id === orgId)
  const possible = org ? asked.filter(scope => roleCan(effectiveRole(org.role), scope)) : []
  const given = possible.filter(scope => chosen.includes(scope))
  const isOpen = org !== undefined && !org.ssoMissing && !org.secondFactorDemanded
  const connect = () =>
    work(async () => {
      setFailure(undefined)
      if (!org || !given.length) {
        setFailure(t('noneChosen'))
        return
      }
      try {
        const { address } = await apiOf(client)(org.slug).programs.connect({ body: { request, scopes: given } })
        setAnswer(address)
        location.assign(address)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const name = isolated(program.name)
  if (answer) return <Connected name={name} address={answer} />
  if (isFaulty) return <Faulty refusal={refusal} host={destinationName(program.host)} />
  return (
    <form
      className="stack"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isWorking) connect()
      }}
    >
      <div>
        <h1 className="program-name">{t('heading', { name })}</h1>
        <p className="lead">{t('unchecked')}</p>
      </div>
      <dl className="program-facts box">
        <div>
          <dt>{t('goesTo')}</dt>
          <dd>{destinationName(program.host)}</dd>
        </div>
        <div>
          <dt>{t('account')}</dt>
          <dd>{user.email}</dd>
        </div>
      </dl>
      <OrganizationChoice organizations={organizations} chosen={org} onChoose={setOrgId} />
      {org && !isOpen ? <Demand org={org} /> : null}
      {org && isOpen && !possible.length ? (
        <p className="notice notice-warn" role="status">
          {t('noRight', { org: isolated(org.name) })}
        </p>
      ) : null}
      {isOpen && possible.length ? <ScopeChoice possible={possible} chosen={given} onChoose={setChosen} /> : null}
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="program-buttons">
        {isOpen && possible.length ? (
          <button type="submit" className="button button-primary button-wide" aria-disabled={isWorking}>
            {isWorking ? t('allowing') : t('allow')}
          </button>
        ) : null}
        <a className="button button-wide" href={refusal}>
          {t('deny')}
        </a>
      </div>
      {isOpen && possible.length ? <p className="field-hint">{t('undo')}</p> : null}
      <noscript>
        <p className="notice notice-warn">{t('noScript')}</p>
      </noscript>
    </form>
  )
}

/** A program sends a person here, who lets it in or not. */
export default function AuthorizePage() {
  const { t } = useTranslation('programs')
  const [query] = useSearchParams()
  return (
    <PublicFrame title={t('title')}>
      <Consent request={requestIn(query)} />
    </PublicFrame>
  )
}
