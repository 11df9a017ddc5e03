import { AppError, appErrors, errorCodes } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { authErrors } from '../errors.ts'
import type { AllowedPath } from './allowed-routes.ts'

type Body = Record<string, unknown>

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Removes session tokens, so that scripts cannot read them. */
const withoutToken = (body: Body): Body => {
  const { token: _token, session, ...rest } = body
  if (!isObject(session)) return 'session' in body ? { ...rest, session } : rest
  const { token: _inner, ...kept } = session
  return { ...rest, session: kept }
}

const printsToken: ReadonlySet<AllowedPath> = new Set([
  '/get-session',
  '/sign-in/email-otp',
  '/sign-in/username',
  '/admin/impersonate-user',
  '/admin/stop-impersonating',
])

/**
 * The reply to a sign-in or to `/get-session` while the second factor is missing: nothing about the person, in the form
 * that clients of better-auth's two-factor plugin expect.
 */
export const twoFactorAnswer = (twoFactorMethods: readonly string[], headers: HeadersInit): Response =>
  Response.json({ twoFactorRedirect: true, twoFactorMethods }, { headers })

/** A missing organization and one that the caller is not in get the same error. */
const hiddenOrganization = new Set([
  'ORGANIZATION_NOT_FOUND',
  'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
])

/** The library reports faults of a body as `[body.email] Invalid input: expected string, received undefined; …`. */
const faultsIn = (message: string) =>
  [...message.matchAll(/\[((?:body|query)[\w.]*)\]\s*([^;]*)/g)].map(([, field = 'body', said = '']) => ({
    field,
    code: said.includes('received undefined') ? 'required' : 'invalid',
    params: {},
  }))

/** Texts for refusals whose code has none of ours; the library's own are English only. */
const byStatus: Readonly<Record<number, string>> = {
  401: 'APP_SIGN_IN_REQUIRED',
  403: 'APP_FORBIDDEN',
  404: 'APP_NOT_FOUND',
  415: 'APP_WRONG_CONTENT_TYPE',
  429: 'APP_TOO_MANY_REQUESTS',
}

/** A refusal of the library, with its code where it has one, and with our text in the caller's language. */
export const refusalOf = (status: number, body: unknown): AppError => {
  if (status >= 500) return appErrors.INTERNAL()
  const said: Body = isObject(body) ? body : {}
  const code = typeof said.code === 'string' ? said.code : ''
  if (code === 'VALIDATION_ERROR') {
    const faults = faultsIn(String(said.message))
    return new InvalidInput(faults.length ? faults : [{ field: 'body', code: 'invalid', params: {} }])
  }
  if (hiddenOrganization.has(code)) {
    const hidden = authErrors.USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION()
    return new AppError('USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', hidden.status, { textCode: hidden.code })
  }
  const general = byStatus[status] ?? 'APP_VALIDATION'
  const textCode = [code, `AUTH_${code}`].find(known => errorCodes.has(known)) ?? general
  return new AppError(code || general, status, { textCode })
}

/**
 * The library's reply, without session tokens.
 * @throws AppError for its refusals and failures
 */
export async function finishReply(reply: Response, path: AllowedPath): Promise<Response> {
  const text = await reply.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  if (reply.status >= 400) throw refusalOf(reply.status, body)
  const headers = new Headers(reply.headers)
  headers.set('cache-control', 'no-store')
  headers.delete('content-length')
  if (body === undefined) return new Response(null, { status: reply.status, headers })
  headers.set('content-type', 'application/json; charset=utf-8')
  const leaving = printsToken.has(path) && isObject(body) ? withoutToken(body) : body
  return new Response(JSON.stringify(leaving), { status: reply.status, headers })
}
