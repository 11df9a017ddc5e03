import { defineErrors } from '#server/platform/http/errors.ts'

export const viewErrors = defineErrors('SAVED_VIEWS', {
  /** No such view, or not one that the caller has: one answer for both. */
  NOT_FOUND: 404,
  NOT_YOURS: 403,
  NAME_TAKEN: 409,
  TOO_MANY: 409,
})
