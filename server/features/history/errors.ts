import { defineErrors } from '#server/platform/http/errors.ts'

export const historyErrors = defineErrors('HISTORY', {
  /** Also for an entry of somebody else. */
  NOT_FOUND: 404,
  NOT_YOURS: 403,
  /** The bulk send has not ended. */
  UNDER_WAY: 409,
})
