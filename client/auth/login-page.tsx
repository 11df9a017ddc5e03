import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, replace, useLocation, useParams, useSearchParams } from 'react-router'
import { paths, safeReturnTo } from '#shared/paths.ts'
import { PublicFrame } from '../shell/public-frame.tsx'
import { findViewer, startOf } from '../shell/viewer.ts'
import { CodeStep } from './code-step.tsx'
import { EmailStep } from './email-step.tsx'
import { PasswordStep } from './password-step.tsx'

/** Where the sign-in leads: what was wanted, else the organization of the address, else the start. */
const destination = (returnTo: string | null, org: string | undefined): string | undefined =>
  safeReturnTo(returnTo) ?? (org ? paths.chats(org) : undefined)

/** Somebody who is signed in has nothing to do here. */
export const loader = async (args: LoaderFunctionArgs) => {
  const viewer = await findViewer(args)
  if (!viewer) return null
  const { searchParams } = new URL(args.request.url)
  throw replace(destination(searchParams.get('returnTo'), args.params.org) ?? startOf(viewer, args))
}

/** In the address, so that the other way is there before the scripts are. */
const passwordQuery = 'with'

/** The address of this page with the one way in or the other. */
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

/** Sign-in by e-mail and a code of six digits, in two steps; or by username and password. */
export default function LoginPage() {
  const { t } = useTranslation('auth')
  const { org } = useParams()
  const [query] = useSearchParams()
  const { isPassword, passwordAddress, codeAddress } = useWays()
  const [email, setEmail] = useState<string>()
  // A whole new page: what this one has cached belongs to nobody.
  const enter = () => location.replace(destination(query.get('returnTo'), org) ?? paths.home())
  return (
    <PublicFrame title={t('login.title')}>
      {isPassword ? (
        <PasswordStep codeAddress={codeAddress} onEntered={enter} />
      ) : email === undefined ? (
        <EmailStep onSent={setEmail} passwordAddress={passwordAddress} />
      ) : (
        <CodeStep email={email} onEntered={enter} onOtherEmail={() => setEmail(undefined)} />
      )}
      <noscript>
        <p className="notice notice-warn">{t('login.noScript')}</p>
      </noscript>
    </PublicFrame>
  )
}
