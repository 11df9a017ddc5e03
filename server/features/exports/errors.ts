import { defineErrors } from '#server/platform/http/errors.ts'

export const exportErrors = defineErrors('EXPORTS', {
  /** It was made for somebody else or elsewhere, or too long ago. */
  TICKET_INVALID: 404,
  /** One at a time. */
  UNDER_WAY: 409,
  NOT_WHILE_IMPERSONATING: 403,
})
