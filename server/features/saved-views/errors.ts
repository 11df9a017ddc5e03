import { defineErrors } from '#server/platform/http/errors.ts'

export const viewErrors = defineErrors('SAVED_VIEWS', {
  /** Also for another person's view. */
  NOT_FOUND: 404,
  NOT_YOURS: 403,
  NAME_TAKEN: 409,
  TOO_MANY: 409,
})
