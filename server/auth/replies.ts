import type { Language } from '#shared/language.ts'
import { appErrors, errorCodes } from '../errors.ts'
import type { ServerI18n } from '../i18n.ts'
import { InvalidInput } from '../validate.ts'
import type { Door } from './doors.ts'

type Body = Record<string, unknown>

const isObject = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Nothing of a session's cookie in what scripts can read. */
const withoutToken = (body: Body): Body => {
  const { token: _token, session, ...rest } = body
  if (!isObject(session)) return 'session' in body ? { ...rest, session } : rest
  const { token: _inner, ...kept } = session
  return { ...rest, session: kept }
}

const printsToken: ReadonlySet<Door> = new Set([
  '/get-session',
  '/sign-in/email-otp',
  '/admin/impersonate-user',
  '/admin/stop-impersonating',
])

/** An organization that is not there and one that is not yours are told alike. */
const hiddenOrganization = new Set([
  'ORGANIZATION_NOT_FOUND',
  'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION',
  'YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION',
])

/** The library tells faults of a body as `[body.email] Invalid input: expected string, received undefined; …`. */
const faultsIn = (message: string) =>
  [...message.matchAll(/\[((?:body|query)[\w.]*)\]\s*([^;]*)/g)].map(([, field = 'body', said = '']) => ({
    field,
    code: said.includes('received undefined') ? 'required' : 'invalid',
    params: {},
  }))

/**
 * The library's answer as it leaves: its own shape, its messages in the caller's language, without session tokens.
 * @throws what is not the library's to say: faults of the input by field, and failures.
 */
export async function finishReply(
  reply: Response,
  door: Door,
  language: Language,
  i18n: ServerI18n,
): Promise<Response> {
  const headers = new Headers(reply.headers)
  headers.set('cache-control', 'no-store')
  headers.delete('content-length')
  const text = await reply.text()
  const body: unknown = text === '' ? undefined : JSON.parse(text)
  const answer = (status: number, changed: unknown) => {
    if (changed === undefined) return new Response(null, { status, headers })
    headers.set('content-type', 'application/json; charset=utf-8')
    return new Response(JSON.stringify(changed), { status, headers })
  }
  if (reply.status < 400)
    return answer(reply.status, printsToken.has(door) && isObject(body) ? withoutToken(body) : body)
  if (reply.status >= 500) throw appErrors.INTERNAL()

  const t = i18n.translator(language)
  const said: Body = isObject(body) ? body : {}
  let code = typeof said.code === 'string' ? said.code : ''
  let { status } = reply
  if (code === 'VALIDATION_ERROR') {
    const faults = faultsIn(String(said.message))
    throw new InvalidInput(faults.length ? faults : [{ field: 'body', code: 'invalid', params: {} }])
  }
  if (hiddenOrganization.has(code)) {
    code = 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION'
    status = 403
  }
  // A refusal with a code says more in the library's English than in a general sentence of ours.
  const general = status === 400 && code ? undefined : byStatus[status]
  const key = [code, `AUTH_${code}`].find(known => errorCodes.has(known)) ?? general
  return answer(status, { ...said, code: code || key, message: key ? t(`errors:${key}`) : said.message })
}

const byStatus: Readonly<Record<number, string>> = {
  400: 'APP_VALIDATION',
  401: 'APP_SIGN_IN_REQUIRED',
  403: 'APP_FORBIDDEN',
  404: 'APP_NOT_FOUND',
  415: 'APP_WRONG_CONTENT_TYPE',
  429: 'APP_TOO_MANY_REQUESTS',
}
