import type { FastifyRequest } from 'fastify'
import { monotonicMs } from '#server/platform/time/clock.ts'
import type { AppError } from '../errors.ts'

/** Refusals by identity, rights, rate or backlog, and failed sign-ins. */
const shouldLog = ({ status, code }: AppError): boolean =>
  [401, 403, 429, 503].includes(status) || failedSignInCodes.has(code)

/** Refused with 400, so that they do not reveal whether an account exists. */
const failedSignInCodes: ReadonlySet<string> = new Set([
  'INVALID_OTP',
  'OTP_EXPIRED',
  'AUTH_PASSWORD_WRONG',
  'AUTH_SECOND_CODE_WRONG',
])

const linesASecond = 50

/**
 * Logs refusals: who, from where, which call and why; never what was sent. Bounded per second, so that refused requests
 * cannot fill a disk; the next second starts with the number omitted.
 */
export function createRefusalLog(now: () => number = monotonicMs) {
  let second = Number.NEGATIVE_INFINITY
  let lines = 0

  return (request: FastifyRequest, error: AppError): void => {
    if (!shouldLog(error)) return
    const at = now()
    if (at - second >= 1000) {
      const leftOut = lines - linesASecond
      if (leftOut > 0) request.log.warn({ leftOut }, 'refusals were omitted from the log')
      second = at
      lines = 0
    }
    lines += 1
    if (lines > linesASecond) return
    const { code, status } = error
    request.log.info(
      {
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url,
        address: request.ip,
        userId: request.caller?.person?.userId,
        code,
        status,
      },
      'refused',
    )
  }
}
