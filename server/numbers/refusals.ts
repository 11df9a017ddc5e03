import type { AppError } from '../errors.ts'
import { connectRefusalOf } from '../whatsapp/code-meanings.ts'
import { WhatsAppError } from '../whatsapp/provider.ts'
import { numbersErrors } from './errors.ts'

type Refusal = keyof typeof numbersErrors

/** Codes of ours, from before or instead of an answer of Meta's. */
const byOwnCode: Readonly<Record<string, Refusal>> = {
  WRONG_ACCOUNT: 'ACCOUNT_MISMATCH',
  APP_SECRET: 'APP_SECRET_REFUSED',
  NETWORK: 'UNREACHABLE',
  TIMEOUT: 'UNREACHABLE',
  UNCONFIRMED: 'UNREACHABLE',
  UNREADABLE: 'UNREADABLE',
}

const refusalOf = (error: WhatsAppError): Refusal => {
  const known = byOwnCode[error.code] ?? connectRefusalOf(error.code)
  if (known) return known
  if (error.retry === 'credentials') return 'TOKEN_REFUSED'
  if (error.retry === 'later') return 'BUSY'
  return (error.httpStatus ?? 0) >= 500 ? 'UNREACHABLE' : 'REFUSED'
}

/** What the person who connects a number is told instead of Meta's answer; never anything of the token. */
export const refusal = (error: unknown): AppError | undefined =>
  error instanceof WhatsAppError
    ? numbersErrors[refusalOf(error)]({ params: { code: error.code }, cause: error })
    : undefined
