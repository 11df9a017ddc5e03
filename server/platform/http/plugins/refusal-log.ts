import type { FastifyRequest } from 'fastify'
import { monotonicMs } from '#server/platform/time/clock.ts'
import type { AppError } from '../errors.ts'

/** Callers refused for who they are, what they may, how often they come or how much of theirs waits; and failed sign-ins. */
const isWorthALine = ({ status, code }: AppError): boolean =>
  [401, 403, 429, 503].includes(status) || triesToComeIn.has(code)

/** Refused as bad input, as they say nothing of whether somebody is there. */
const triesToComeIn: ReadonlySet<string> = new Set([
  'INVALID_OTP',
  'OTP_EXPIRED',
  'AUTH_PASSWORD_WRONG',
  'AUTH_SECOND_CODE_WRONG',
])

const linesASecond = 50

/**
 * Lines of what was refused: who, from where, which call and why; never what was sent. Bounded, so that nobody fills a
 * disk by being refused: the next second begins with how many were left out.
 */
export function createRefusalLog(now: () => number = monotonicMs) {
  let second = Number.NEGATIVE_INFINITY
  let lines = 0

  return (request: FastifyRequest, error: AppError): void => {
    if (!isWorthALine(error)) return
    const at = now()
    if (at - second >= 1000) {
      const leftOut = lines - linesASecond
      if (leftOut > 0) request.log.warn({ leftOut }, 'more was refused than the log tells')
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
