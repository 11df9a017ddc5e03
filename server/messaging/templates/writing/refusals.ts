import type { AppError } from '#server/platform/http/errors.ts'
import { templateRefusalOf } from '#server/whatsapp/errors/code-meanings.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { templateErrors } from '../errors.ts'

const unanswered = ['NETWORK', 'TIMEOUT', 'UNCONFIRMED', 'UNREADABLE']

const kindOf = (error: WhatsAppError): keyof typeof templateErrors => {
  const known = templateRefusalOf(error.subcode)
  if (known) return known
  if (unanswered.includes(error.code)) return 'UNREACHABLE'
  if (error.retry === 'credentials') return 'TOKEN_REFUSED'
  return error.retry === 'later' ? 'BUSY' : 'REFUSED'
}

/** Meta may have executed the request although no answer came. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof WhatsAppError && unanswered.includes(error.code)

/** The error shown instead of Meta's, with Meta's own sentence if there is one. */
export const refusal = (error: unknown): AppError | undefined =>
  error instanceof WhatsAppError
    ? templateErrors[kindOf(error)]({
        params: { code: error.subcode ?? error.code, detail: error.detail ?? error.message },
        ...(error.retryAfterMs === undefined ? {} : { retryAfterSeconds: error.retryAfterMs / 1000 }),
        cause: error,
      })
    : undefined

/** Runs a request to Meta. @throws AppError of this feature in place of Meta's error */
export const ask = async <T>(call: Promise<T>): Promise<T> => {
  try {
    return await call
  } catch (error) {
    throw refusal(error) ?? error
  }
}
