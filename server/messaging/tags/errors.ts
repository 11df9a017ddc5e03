import { defineErrors } from '#server/platform/http/errors.ts'

export const tagErrors = defineErrors('TAGS', {
  /** Also for a tag of another organization. */
  NOT_FOUND: 404,
  LABEL_TAKEN: 409,
  TOO_MANY: 409,
  TOO_MANY_ON_CONTACT: 409,
})
