import { AppError, defineErrors } from '#server/platform/http/errors.ts'

export const upstreamErrors = defineErrors('UPSTREAM', {
  /** It answered with an error. 4xx keep their status; the rest is 502. */
  REFUSED: 502,
  /** 403 of it. Its message says what is missing. */
  FORBIDDEN: 403,
  /** It did not accept our token. That is between the two systems: nobody is signed out. */
  TOKEN_REFUSED: 502,
  /** The answer does not fit the contract. */
  MISFIT: 502,
  /** It did not answer, or not in time. */
  UNREACHABLE: 503,
  /** It failed several times in a row and is left alone for some seconds. */
  RESTING: 503,
  /** The organization has too many calls under way. */
  BUSY: 503,
  /** An event of it is not signed with PRODUCT_API_SECRET, or too old. */
  SIGNATURE_REFUSED: 401,
  /** An event of it has another form. */
  EVENT_REFUSED: 400,
  /** It does not serve this call. */
  NOT_OFFERED: 404,
})

/** Statuses that every call answered by the upstream may have beyond those of its contract. */
export const upstreamStatuses = [404, 409, 422, 502, 503] as const

/** Statuses of the upstream that the caller gets as they are. The others of 4xx become 400. */
const passed = new Set([400, 404, 409, 413, 415, 422, 429])

/** @param status of the upstream, 400 or more except 401, 403, 405 and 501 */
export const refusedBy = (
  status: number,
  message: string | undefined,
  retryAfterSeconds: number | undefined,
): AppError =>
  new AppError('UPSTREAM_REFUSED', status >= 500 ? 502 : passed.has(status) ? status : 400, {
    params: { status, message: message ?? '' },
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    textCode: message === undefined ? 'UPSTREAM_REFUSED_SILENTLY' : 'UPSTREAM_REFUSED',
  })
