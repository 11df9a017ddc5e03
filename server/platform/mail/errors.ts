import { defineErrors } from '#server/platform/http/errors.ts'

export const mailErrors = defineErrors('MAIL', {
  /** The mail server does not answer, refuses us, or the mail folder cannot be written. */
  UNAVAILABLE: 503,
  /** The mail server works but does not take this recipient. */
  RECIPIENT_REFUSED: 422,
})
