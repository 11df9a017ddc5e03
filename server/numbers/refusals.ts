import type { AppError } from '../errors.ts'
import { WhatsAppError } from '../whatsapp/provider.ts'
import { numbersErrors } from './errors.ts'

type Refusal = keyof typeof numbersErrors

/** Meta's numbers that mean something else while connecting than while sending. */
const byCode: Readonly<Record<string, Refusal>> = {
  '0': 'TOKEN_REFUSED',
  '102': 'TOKEN_REFUSED',
  '104': 'TOKEN_REFUSED',
  '190': 'TOKEN_REFUSED',
  '3': 'PERMISSION_MISSING',
  '10': 'PERMISSION_MISSING',
  '131005': 'PERMISSION_MISSING',
  '33': 'NOT_FOUND',
  '100': 'NOT_FOUND',
  '803': 'NOT_FOUND',
  WRONG_ACCOUNT: 'ACCOUNT_MISMATCH',
  APP_SECRET: 'APP_SECRET_REFUSED',
  NETWORK: 'UNREACHABLE',
  TIMEOUT: 'UNREACHABLE',
  UNCONFIRMED: 'UNREACHABLE',
  UNREADABLE: 'UNREADABLE',
}

const refusalOf = (error: WhatsAppError): Refusal => {
  const known = byCode[error.code]
  if (known) return known
  const code = Number(error.code)
  if (code >= 200 && code <= 299) return 'PERMISSION_MISSING'
  if (error.retry === 'credentials') return 'TOKEN_REFUSED'
  if (error.retry === 'later') return 'BUSY'
  return (error.httpStatus ?? 0) >= 500 ? 'UNREACHABLE' : 'REFUSED'
}

/** What the person who connects a number is told instead of Meta's answer; never anything of the token. */
export const refusal = (error: unknown): AppError | undefined =>
  error instanceof WhatsAppError
    ? numbersErrors[refusalOf(error)]({ params: { code: error.code }, cause: error })
    : undefined
