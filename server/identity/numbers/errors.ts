import { defineErrors } from '#server/platform/http/errors.ts'

export const numbersErrors = defineErrors('NUMBERS', {
  NOT_CONNECTED: 404,
  /** Another organization of this installation has the number. */
  TAKEN: 409,
  /** A real number is connected and must be disconnected first. */
  CLOUD_CONNECTED: 409,
  SANDBOX_OFF: 409,
  /** The organization has reached its limit of numbers. */
  TOO_MANY: 409,
  /** The simulator's account has only one number. */
  SANDBOX_HAS_ONE: 409,
  /** No account of the organization has the number to be verified. */
  NOT_ADDED: 404,
  NUMBER_INVALID: 400,
  /** Meta does not accept the number or the name. */
  NUMBER_REFUSED: 400,
  NAME_REFUSED: 400,
  PROFILE_REFUSED: 400,
  PICTURE_REFUSED: 400,
  CODE_WRONG: 400,
  PIN_WRONG: 400,
  CODE_NOT_SENT: 502,
  /** The installation has no Meta app, so codes of Meta's sign-up page cannot be used. */
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
