import type { Static } from 'typebox'
import type { Config } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { readerOf } from '#server/platform/http/validate.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { type SsoFailure, ssoCallbackPath } from '#shared/auth/sso.ts'
import { paths, safeReturnTo } from '#shared/kernel/paths.ts'
import type { AuthAnswers, AuthCall } from '../calls/call.ts'
import { SignInBySso } from '../calls/schemas.ts'
import { authErrors, refuseExhausted } from '../errors.ts'
import type { OrganizationEffects } from '../organizations/organization-effects.ts'
import { cookieKey, sessionCookie } from '../sessions/cookie.ts'
import type { Streams } from '../sessions/streams.ts'
import type { Budgets } from '../sign-in/budget.ts'
import type { Attempts } from './attempts.ts'
import { domainOfEmail, readDomain } from './domain.ts'
import type { Exchange } from './exchange.ts'
import { SsoRefused } from './failure.ts'
import type { Admit } from './newcomers.ts'
import {
  findProvider,
  findUsableByDomain,
  findUsableById,
  findUsableBySlug,
  type UsableProvider,
} from './provider-store.ts'

interface SsoSignInParts extends Pick<OrganizationEffects, 'onTeamMember'> {
  readonly config: Pick<Config, 'publicUrl'>
  readonly databases: Databases
  readonly log: Log
  readonly secret: string
  readonly budgets: Budgets
  readonly streams: Streams
  readonly attempts: Attempts
  readonly exchange: Exchange
  readonly admit: Admit
}

type Wanted = Static<typeof SignInBySso>

const read = readerOf('body', SignInBySso)
const noStore = { 'cache-control': 'no-store' }

/**
 * Sign-in with an organization's provider: authorization code with PKCE, state and nonce. @see OpenID Connect Core §3.1
 */
export function createSsoSignIn(parts: SsoSignInParts): AuthAnswers {
  const { config, databases, log, budgets, streams, attempts } = parts
  const origin = new URL(config.publicUrl).origin

  const findWanted = async ({ providerId, organizationSlug, domain, email }: Wanted) => {
    if (providerId !== undefined) return findUsableById(databases.read, providerId)
    if (organizationSlug !== undefined) return findUsableBySlug(databases.read, organizationSlug)
    const wanted = domain === undefined ? domainOfEmail(email ?? '') : readDomain(domain)
    return wanted === undefined ? undefined : findUsableByDomain(databases.read, wanted)
  }

  /** A path inside this site. @throws INVALID_CALLBACK_URL */
  const returnToOf = ({ callbackURL }: Wanted): string | null => {
    if (callbackURL === undefined) return null
    const inside = callbackURL.startsWith(`${origin}/`) ? callbackURL.slice(origin.length) : callbackURL
    const returnTo = safeReturnTo(inside)
    if (returnTo === undefined) throw authErrors.INVALID_CALLBACK_URL({ fields: ['body.callbackURL'] })
    return returnTo
  }

  const redirect = (to: string, cookies: readonly string[]): Response => {
    const answer = new Response(null, { status: 302, headers: { ...noStore, location: to } })
    for (const cookie of cookies) answer.headers.append('set-cookie', cookie)
    return answer
  }

  const come = async (call: AuthCall, provider: UsableProvider | undefined, providerId: string) => {
    const query = new URLSearchParams(call.search)
    const cookie = call.headers.get('cookie') ?? undefined
    const attempt = await attempts.take(query.get('state') ?? '', providerId, cookie)
    if (!provider) throw new SsoRefused('inactive', 'the provider is not active')
    const issuer = query.get('iss')
    if (issuer !== null && issuer !== provider.issuer) throw new SsoRefused('untrusted', 'the issuer parameter differs')
    const code = query.get('code')
    if (query.has('error') || !code) throw new SsoRefused('refused', 'the provider refused the sign-in')
    const redirectUri = `${config.publicUrl}${ssoCallbackPath(providerId)}`
    const claimed = await parts.exchange(provider, attempt, { code, redirectUri })
    const admitted = await parts.admit(provider, claimed, {
      ip: call.ip,
      userAgent: call.headers.get('user-agent'),
      cookie,
      language: call.language,
      session: call.person,
    })
    return { admitted, attempt }
  }

  return {
    '/sign-in/sso': async call => {
      const wanted = read(call.body) as Wanted
      const returnTo = returnToOf(wanted)
      await refuseExhausted(budgets, [budgets.network(call.ip)], authErrors.TOO_MANY_REQUESTS)
      const provider = await findWanted(wanted)
      if (!provider) throw authErrors.SSO_NOT_OFFERED()
      const attempt = await attempts.begin(provider.id, returnTo)
      const address = new URL(provider.authorization_endpoint)
      for (const [name, value] of Object.entries({
        response_type: 'code',
        client_id: provider.client_id,
        redirect_uri: `${config.publicUrl}${ssoCallbackPath(provider.id)}`,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: attempt.codeChallenge,
        code_challenge_method: 'S256',
        ...(wanted.email === undefined ? {} : { login_hint: wanted.email.trim() }),
      }))
        address.searchParams.set(name, value)
      return Response.json(
        { url: address.href, redirect: true },
        { headers: { ...noStore, 'set-cookie': attempt.setCookie } },
      )
    },

    '/sso/callback/:providerId': async call => {
      const { parameter: providerId } = call
      const stored = await findProvider(databases.read, providerId)
      if (!stored) throw authErrors.SSO_PROVIDER_NOT_FOUND()
      const network = budgets.network(call.ip)
      await refuseExhausted(budgets, [network], authErrors.TOO_MANY_REQUESTS)
      const provider = await findUsableById(databases.read, providerId)
      const clear = attempts.clearCookie(new URLSearchParams(call.search).get('state') ?? '')
      try {
        const { admitted, attempt } = await come(call, provider, providerId)
        // Returned twice, for this call and the one that began the sign-in.
        await budgets.giveBack([network, network])
        if (call.person?.userId === admitted.userId) streams.dropUser(admitted.userId, call.person.sessionId)
        if (admitted.joinedTeamId !== null)
          await announceTeamMember(stored.org_id, admitted.joinedTeamId, admitted.userId)
        const { setCookie } = sessionCookie(config.publicUrl, admitted.token, cookieKey(parts.secret))
        return redirect(attempt.returnTo ?? paths.chats((provider as UsableProvider).orgSlug), [clear, setCookie])
      } catch (error) {
        if (!(error instanceof SsoRefused)) throw error
        const { failure, message: detail } = error
        log.warn({ provider: providerId, failure, detail }, 'SSO sign-in failed')
        return redirect(failureAddress(provider?.orgSlug, failure), [clear])
      }
    },
  }

  async function announceTeamMember(orgId: string, teamId: string, userId: string) {
    try {
      await parts.onTeamMember?.(orgId, { teamId, userId, isIn: true }, null)
    } catch (error) {
      log.error({ err: errorFacts(error) }, 'announcing a team change failed')
    }
  }
}

const failureAddress = (slug: string | undefined, failure: SsoFailure): string =>
  `${slug === undefined ? paths.login() : paths.orgLogin(slug)}?sso=${failure}`
