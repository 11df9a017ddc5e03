import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import type { WireError } from '#shared/kernel/error.ts'
import { AppError, appErrors } from './errors.ts'
import { InvalidInput } from './validate.ts'

/** A text by its key in the language of whoever is refused; the key itself when there is none. */
export type Say = (key: string, params?: Record<string, string | number>) => string

/**
 * The refusal in an error, wherever it is told (a call, a page, the sign-in): one of ours, or a database that is locked
 * or full, which passes. Undefined: a failure that nobody foresaw.
 */
export const refusalIn = (error: unknown): AppError | undefined => {
  if (error instanceof AppError) return error
  return isDatabaseTrouble(error) ? appErrors.UNAVAILABLE({ retryAfterSeconds: 5, cause: error }) : undefined
}

const fieldMessage = (key: string, params: Record<string, string | number>, say: Say) => {
  const text = say(key, params)
  // Schemas can grow keywords that have no sentence yet.
  return text === key || text === key.slice(key.indexOf(':') + 1) ? say('errors:field.invalid') : text
}

/** A refusal as programs and pages get it; `message` is for the person who asked. */
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

/** Whole seconds for `retry-after`, at least one; undefined: nobody knows when it is worth asking again. */
export const retryAfterOf = ({ retryAfterSeconds }: AppError): number | undefined =>
  retryAfterSeconds === undefined ? undefined : Math.max(1, Math.ceil(retryAfterSeconds))
