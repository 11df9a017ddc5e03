import { defineErrors } from '#server/platform/http/errors.ts'

export const numbersErrors = defineErrors('NUMBERS', {
  NOT_CONNECTED: 404,
  /** The number answers to another organization of this installation. */
  TAKEN: 409,
  /** A real number is connected; it must be let go first. */
  CLOUD_CONNECTED: 409,
  SANDBOX_OFF: 409,
  /** An organization has as many numbers as it may. */
  TOO_MANY: 409,
  /** The simulator's account has the one number. */
  SANDBOX_HAS_ONE: 409,
  /** No account of the organization has the number that is to be proved. */
  NOT_ADDED: 404,
  NUMBER_INVALID: 400,
  /** Meta takes the number or its name for none it serves. */
  NUMBER_REFUSED: 400,
  NAME_REFUSED: 400,
  PROFILE_REFUSED: 400,
  PICTURE_REFUSED: 400,
  CODE_WRONG: 400,
  PIN_WRONG: 400,
  CODE_NOT_SENT: 502,
  /** No app of Meta's is set up for the installation, so no code of its page can be used. */
  SIGNUP_OFF: 409,
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
