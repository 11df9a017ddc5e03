import { defineErrors } from '#server/platform/http/errors.ts'

export const reportErrors = defineErrors('STATS_REPORT', {
  /** The link is none of ours, or its recipient is none any more. */
  LINK_INVALID: 404,
  /** The mail would go to the person who is impersonated. */
  NOT_WHILE_IMPERSONATING: 403,
})
