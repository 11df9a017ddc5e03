import type { AppError } from '#server/platform/http/errors.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { connectRefusalOf, refusesInput, registrationRefusalOf } from '#server/whatsapp/errors/code-meanings.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import { numbersErrors } from './errors.ts'

type Refusal = keyof typeof numbersErrors

/** Codes of our own, for failures without an answer of Meta. */
const byOwnCode: Readonly<Record<string, Refusal>> = {
  WRONG_ACCOUNT: 'ACCOUNT_MISMATCH',
  APP_SECRET: 'APP_SECRET_REFUSED',
  NETWORK: 'UNREACHABLE',
  TIMEOUT: 'UNREACHABLE',
  UNCONFIRMED: 'UNREACHABLE',
  UNREADABLE: 'UNREADABLE',
}

const numberRefusalOf = (error: WhatsAppError): Refusal => {
  const known = byOwnCode[error.code] ?? registrationRefusalOf(error.code) ?? connectRefusalOf(error.code)
  if (known) return known
  if (error.retry === 'credentials') return 'TOKEN_REFUSED'
  if (error.retry === 'later') return 'BUSY'
  return (error.httpStatus ?? 0) >= 500 ? 'UNREACHABLE' : 'REFUSED'
}

/** The error for the person who connects a number, instead of Meta's answer. Never contains the token. */
const refusal = (error: unknown): AppError | undefined =>
  error instanceof WhatsAppError
    ? numbersErrors[numberRefusalOf(error)]({ params: { code: error.code }, cause: error })
    : undefined

/** The same error as a fault of one field of the body. */
export const refusedField = (
  name: Refusal,
  field: string,
  params: Record<string, string | number> = {},
): InvalidInput => {
  const { code, status } = numbersErrors[name]()
  return new InvalidInput([{ field: `body.${field}`, code: 'invalid', params: {} }], code, status, params)
}

const fieldOf: Partial<Record<Refusal, string>> = { CODE_WRONG: 'code', PIN_WRONG: 'pin' }

/**
 * Runs a call to Meta and converts its errors.
 * @param blamed the error to use where Meta only says that a parameter is wrong; without `field`: several fields are
 * possible
 */
export const asked = async <T>(
  call: Promise<T>,
  blamed?: { name: Refusal; field?: string | undefined },
): Promise<T> => {
  try {
    return await call
  } catch (error) {
    if (!(error instanceof WhatsAppError)) throw error
    const params = { code: error.code }
    if (blamed && refusesInput(error.code))
      throw blamed.field === undefined
        ? numbersErrors[blamed.name]({ params, cause: error })
        : refusedField(blamed.name, blamed.field, params)
    const field = fieldOf[numberRefusalOf(error)]
    throw field === undefined ? refusal(error) : refusedField(numberRefusalOf(error), field, params)
  }
}
