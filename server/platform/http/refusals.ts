import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import type { WireError } from '#shared/kernel/error.ts'
import { AppError, appErrors } from './errors.ts'
import { InvalidInput } from './validate.ts'

/** Translates a key into the caller's language; the key itself if there is no text. */
export type Say = (key: string, params?: Record<string, string | number>) => string

/**
 * The refusal contained in an error: one of ours, or a database that is locked or full. Undefined: an unexpected
 * failure.
 */
export const refusalIn = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error
  return isDatabaseTrouble(error) ? appErrors.UNAVAILABLE({ retryAfterSeconds: 5, cause: error }) : undefined
}

const fieldMessage = (key: string, params: Record<string, string | number>, say: Say) => {
  const text = say(key, params)
  // Schemas may use keywords without a text of their own.
  return text === key || text === key.slice(key.indexOf(':') + 1) ? say('errors:field.invalid') : text
}

/** An error as sent to programs and pages. `message` is for the person. */
export function toWireError(error: AppError, requestId: string, say: Say): WireError {
  const message = say(`errors:${error.textCode}`, { requestId, ...error.params })
  const wire: WireError = { statusCode: error.status, code: error.code, message, requestId }
  if (error instanceof InvalidInput)
    wire.details = error.faults.map(fault => ({
      field: fault.field,
      code: fault.code,
      message: fieldMessage(fault.text ?? `errors:field.${fault.code}`, fault.params, say),
    }))
  else if (error.fields.length) wire.details = error.fields.map(field => ({ field, code: error.code, message }))
  return wire
}

/** Whole seconds for `retry-after`, at least 1; undefined: unknown. */
export const retryAfterOf = ({ retryAfterSeconds }: AppError): number | undefined =>
  retryAfterSeconds === undefined ? undefined : Math.max(1, Math.ceil(retryAfterSeconds))
