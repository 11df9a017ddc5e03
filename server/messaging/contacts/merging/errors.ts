import { defineErrors } from '#server/platform/http/errors.ts'

export const mergeErrors = defineErrors('CONTACT_MERGES', {
  /** No such merge, or its time to be undone is over. */
  NOT_FOUND: 404,
  /** What moved has moved on since: there is nothing to part any more. */
  GONE: 409,
})
