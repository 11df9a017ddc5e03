import { defineErrors } from '../errors.ts'

export const numbersErrors = defineErrors('NUMBERS', {
  NOT_CONNECTED: 404,
  /** The number answers to another organization of this installation. */
  TAKEN: 409,
  /** A real number is connected; it must be let go first. */
  CLOUD_CONNECTED: 409,
  SANDBOX_OFF: 409,
  /** An organization has as many numbers as it may. */
  TOO_MANY: 409,
  TOKEN_REFUSED: 502,
  PERMISSION_MISSING: 502,
  NOT_FOUND: 502,
  ACCOUNT_MISMATCH: 502,
  APP_SECRET_REFUSED: 502,
  BUSY: 502,
  UNREACHABLE: 502,
  UNREADABLE: 502,
  REFUSED: 502,
})
