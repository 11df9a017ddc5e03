import { data, replace } from 'react-router'
import { paths } from '#shared/kernel/paths.ts'
import { type ApiError, isApiError } from '../calls/api-error.ts'

/** Data of an error page. It is printed into the page, so nothing internal. */
export interface Refused {
  readonly code: string
  readonly message: string
  readonly requestId: string
}

/** Returns the address to open after signing in. */
export const returnToOf = (request: Request): string => {
  const { pathname, search } = new URL(request.url)
  return pathname + search
}

/** An address whose id is malformed cannot exist. */
const isNowhere = ({ status, details }: ApiError): boolean =>
  status === 400 && details.length > 0 && details.every(({ field }) => field.startsWith('params.'))

/**
 * Turns a refused call into a navigation: not signed in → `/login`, not allowed → `/unauthorized` (both replace
 * history), second factor missing → the second step, anything else → the error page with its status.
 */
export const refusal = (error: unknown, request: Request): unknown => {
  if (!isApiError(error)) return error
  if (error.status === 401) return replace(paths.login(returnToOf(request)))
  if (error.code === 'APP_SECOND_FACTOR_REQUIRED') return replace(paths.secondStep(returnToOf(request)))
  if (error.code === 'APP_SECOND_FACTOR_DEMANDED' || error.code === 'APP_SSO_REQUIRED')
    return replace(paths.organizations())
  if (error.code === 'APP_OWN_SIGN_IN_REQUIRED') return replace(paths.ownLogin(returnToOf(request)))
  if (error.status === 403 || error.code === 'APP_ORGANIZATION_REQUIRED') return replace(paths.unauthorized())
  const refused: Refused = { code: error.code, message: error.message, requestId: error.requestId }
  const headers = { 'retry-after': String(error.retryAfterSeconds) }
  return data(refused, {
    status: isNowhere(error) ? 404 : error.status || 503,
    ...(error.retryAfterSeconds === undefined ? {} : { headers }),
  })
}
