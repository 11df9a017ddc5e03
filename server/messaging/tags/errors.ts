import { defineErrors } from '#server/platform/http/errors.ts'

export const tagErrors = defineErrors('TAGS', {
  /** No such tag, or not one of this organization: one answer for both. */
  NOT_FOUND: 404,
  LABEL_TAKEN: 409,
  TOO_MANY: 409,
  TOO_MANY_ON_CONTACT: 409,
})
