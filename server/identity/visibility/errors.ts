import { defineErrors } from '#server/platform/http/errors.ts'

export const visibilityErrors = defineErrors('VISIBILITY', {
  /** No such tag, or one of another organization. */
  TAG_NOT_FOUND: 404,
  /** Owners and admins always see all content. */
  ROLE_HAS_ALL: 409,
})
