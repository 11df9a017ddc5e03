import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log/log.ts'
import { addressHeader, authPath, type BetterAuth } from '../better-auth.ts'
import { brokenRuleRefusal } from '../errors.ts'
import { cookieKeys, sessionCookieName, withCurrentSignature } from '../sessions/cookie.ts'
import type { AuthCall } from './call.ts'
import type { CallContext, CallContexts } from './call-context.ts'
import { finishReply, twoFactorAnswer } from './replies.ts'

/** Headers in which a client may claim an address. Only our own value reaches the library. */
const claims = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'host',
  'content-length',
  'transfer-encoding',
  'connection',
]

export const contextOf = (call: AuthCall): CallContext => ({
  language: call.language,
  deliver: true,
  person: call.person,
  cookie: call.headers.get('cookie') ?? undefined,
})

/**
 * Passes a call to better-auth with our own host, body, client address and session, and returns what may leave.
 * @throws AppError for every refusal and failure
 */
export type Forward = (call: AuthCall, context?: CallContext, body?: unknown) => Promise<Response>

export function createForward(parts: {
  readonly config: Pick<Config, 'publicUrl'>
  readonly log: Log
  readonly secret: string
  readonly previousSecrets?: readonly string[]
  readonly betterAuth: BetterAuth
  readonly contexts: CallContexts
}): Forward {
  const { betterAuth, contexts } = parts
  const { origin } = new URL(parts.config.publicUrl)
  const sessionCookie = sessionCookieName(parts.config.publicUrl)
  const keys = cookieKeys(parts.secret, parts.previousSecrets)

  const ask = (call: AuthCall, body: unknown) => {
    const headers = new Headers(call.headers)
    for (const name of claims) headers.delete(name)
    headers.set(addressHeader, call.ip)
    // Our session check decides: the library does not notice bans after the sign-in.
    const cookie = headers.get('cookie')
    if (!call.person) headers.delete('cookie')
    else if (cookie !== null) headers.set('cookie', withCurrentSignature(cookie, sessionCookie, keys))
    // Programs send no Origin. Requests that could come from another site's page were refused before
    // (`refuseCrossOrigin`).
    if (!headers.has('origin') && !headers.has('referer') && !headers.has('sec-fetch-site'))
      headers.set('origin', origin)
    const { method } = call
    const sent = method === 'GET' ? undefined : JSON.stringify(body)
    if (sent !== undefined) headers.set('content-type', 'application/json')
    return betterAuth.handler(
      new Request(`${origin}${authPath}${call.path}${call.search}`, { method, headers, body: sent }),
    )
  }

  return async (call, context = contextOf(call), body = call.body) => {
    const reply = await contexts.run(context, () => ask(call, body))
    if (reply.status >= 500 && context.databaseFailure !== undefined)
      throw brokenRuleRefusal(context.databaseFailure) ?? context.databaseFailure
    const finished = await finishReply(reply, call.path)
    if (context.halfSignedInBy === undefined) return finished
    const headers = new Headers(finished.headers)
    headers.delete('content-type')
    return twoFactorAnswer(context.halfSignedInBy === 'password' ? ['totp', 'otp'] : ['totp'], headers)
  }
}
