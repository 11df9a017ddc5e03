import { defineErrors } from '#server/platform/http/errors.ts'

export const visibilityErrors = defineErrors('VISIBILITY', {
  /** No such tag, or not one of this organization: one answer for both. */
  TAG_NOT_FOUND: 404,
  /** Owner and admin have all content, always. */
  ROLE_HAS_ALL: 409,
})
