import { defineErrors } from '#server/platform/http/errors.ts'

export const mergeErrors = defineErrors('CONTACT_MERGES', {
  /** No such merge, or it can no longer be undone. */
  NOT_FOUND: 404,
  /** The merged contact was merged again or deleted since, so nothing can be separated. */
  GONE: 409,
})
