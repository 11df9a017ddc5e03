import { defineErrors } from '#server/platform/http/errors.ts'

export const historyErrors = defineErrors('HISTORY', {
  /** No such entry, or not one that the caller has: one answer for both. */
  NOT_FOUND: 404,
  NOT_YOURS: 403,
  /** The bulk send has not ended. */
  UNDER_WAY: 409,
})
