import { defineErrors } from '#server/platform/http/errors.ts'

export const exportErrors = defineErrors('EXPORTS', {
  /** Issued for another person or session, or expired. */
  TICKET_INVALID: 404,
  /** One at a time. */
  UNDER_WAY: 409,
  NOT_WHILE_IMPERSONATING: 403,
  NOT_FOUND: 404,
  /** The archive is still being made, or its job failed. */
  NOT_READY: 409,
  RANGE_REFUSED: 416,
})
