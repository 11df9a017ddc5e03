import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, replace, useLocation, useParams, useSearchParams } from 'react-router'
import { useRightAddress } from '#client/app/address/own-address.ts'
import { useFacts } from '#client/app/facts.ts'
import { queryFor, settle } from '#client/app/queries/queries.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { ProductScene } from '#client/shell/product-scene.tsx'
import { PublicFrame } from '#client/shell/public-frame.tsx'
import { findOrg, loadViewer, viewerHome, viewerQuery } from '#client/shell/viewer.ts'
import { isSsoFailure, type SsoOffer } from '#shared/auth/sso.ts'
import { paths, safeReturnTo } from '#shared/kernel/paths.ts'
import { CodeStep } from './code-step.tsx'
import { EmailStep } from './email-step.tsx'
import { PasswordStep } from './password-step.tsx'
import { SsoButton } from './sso-button.tsx'
import { SsoDemanded } from './sso-demanded.tsx'
import { SsoStep } from './sso-step.tsx'

/** Replaces the login page at an address from which the server accepts no calls. */
function WrongAddress({ address }: { address: string }) {
  const { t } = useTranslation('auth')
  const { pathname, search } = useLocation()
  return (
    <div className="stack" role="alert">
      <div>
        <h1>{t('wrongAddress.heading')}</h1>
        <p className="lead">{t('wrongAddress.text', { address })}</p>
      </div>
      <a className="button button-primary button-wide" href={address + pathname + search}>
        {t('wrongAddress.go')}
      </a>
    </div>
  )
}

/** The page that sign-in leads to: the requested page, or the organization of the address, or the start page. */
const destination = (returnTo: string | null, org: string | undefined): string | undefined =>
  safeReturnTo(returnTo) ?? (org ? paths.chats(org) : undefined)

/** The identity provider of an organization. */
const offerQuery = (organization: string) => queryFor(undefined, 'sso.findOffer', { query: { organization } })

const ownQuery = 'own'
const isLinking = (query: URLSearchParams) => query.get('sso') === 'ownSignIn'

/** Redirects people who are signed in. */
export const loader = async (args: LoaderFunctionArgs) => {
  const viewer = await loadViewer(args)
  if (!viewer) {
    if (args.params.org) await settle(args, offerQuery(args.params.org))
    return null
  }
  // A signed-in person uses the provider that the organization requires.
  if (args.params.org && findOrg(viewer, args.params.org)?.ssoMissing) {
    await settle(args, offerQuery(args.params.org))
    return null
  }
  const { searchParams } = new URL(args.request.url)
  // A provider's session is limited to one organization. Other pages need another sign-in.
  if (viewer.isBound && searchParams.has(ownQuery)) return null
  // An existing account is linked only from its own session. A provider's session or another account has to sign in
  // again.
  if (args.params.org && isLinking(searchParams)) {
    await settle(args, offerQuery(args.params.org))
    return null
  }
  throw replace(destination(searchParams.get('returnTo'), args.params.org) ?? viewerHome(viewer, args))
}

/** The choice of form in the address, so that the other form works before the scripts run. */
const passwordQuery = 'with'

/** The addresses of both forms. */
const useWays = () => {
  const { pathname } = useLocation()
  const [query] = useSearchParams()
  const addressOf = (withPassword: boolean) => {
    const next = new URLSearchParams(query)
    if (withPassword) next.set(passwordQuery, 'password')
    else next.delete(passwordQuery)
    return next.size ? `${pathname}?${next}` : pathname
  }
  return {
    isPassword: query.get(passwordQuery) === 'password',
    passwordAddress: addressOf(true),
    codeAddress: addressOf(false),
  }
}

/** Sign-in with a mailed code, with username and password, or with an organization's identity provider. */
export default function LoginPage() {
  const { t } = useTranslation('auth')
  const { org } = useParams()
  const [query] = useSearchParams()
  const { isPassword, passwordAddress, codeAddress } = useWays()
  const [email, setEmail] = useState<string>()
  const [found, setFound] = useState<{ offer: SsoOffer; email: string }>()
  const ofOrganization = useOptionalAnswer({ ...offerQuery(org ?? ''), enabled: org !== undefined })?.offer
  // A signed-in person is here because their organization requires single sign-on.
  const { isSignedIn } = useFacts()
  const viewer = useOptionalAnswer({ ...viewerQuery, enabled: isSignedIn })
  const isOwn = isSignedIn && !viewer?.isBound
  const links = isLinking(query)
  const rightAddress = useRightAddress()
  const failure = query.get('sso')
  const returnTo = destination(query.get('returnTo'), org)
  // These people have to sign in by code first: the provider would only redirect back here.
  const needsCode = links || query.has(ownQuery) || failure === 'domainUnproven'
  // A full page load, because cached data is no longer valid.
  const enter = () => (links ? location.reload() : location.replace(returnTo ?? paths.home()))
  return (
    <PublicFrame title={t('login.title')} beside={<ProductScene />}>
      {isSsoFailure(failure) && !(links && isOwn) && !found && email === undefined ? (
        <p className="notice notice-error" role="alert">
          {t(`sso.failure.${failure}`)}
        </p>
      ) : null}
      {rightAddress !== undefined ? (
        <WrongAddress address={rightAddress} />
      ) : isOwn ? (
        <SsoDemanded
          offer={ofOrganization ?? undefined}
          email={links ? viewer?.user.email : undefined}
          returnTo={returnTo}
        />
      ) : (
        <>
          {ofOrganization && !links && !found && email === undefined ? (
            <SsoButton
              offer={ofOrganization}
              returnTo={returnTo}
              label={t('sso.offer', { name: ofOrganization.name })}
            />
          ) : null}
          {isPassword ? (
            <PasswordStep codeAddress={codeAddress} onEntered={enter} />
          ) : found ? (
            <SsoStep
              {...found}
              returnTo={returnTo}
              onCode={() => {
                setFound(undefined)
                setEmail(found.email)
              }}
              onOtherEmail={() => setFound(undefined)}
            />
          ) : email === undefined ? (
            <EmailStep
              onSent={setEmail}
              {...(needsCode ? {} : { onSso: (offer, address) => setFound({ offer, email: address }) })}
              passwordAddress={passwordAddress}
            />
          ) : (
            <CodeStep email={email} onEntered={enter} onOtherEmail={() => setEmail(undefined)} />
          )}
        </>
      )}
      <noscript>
        <p className="notice notice-warn">{t('login.noScript')}</p>
      </noscript>
    </PublicFrame>
  )
}
