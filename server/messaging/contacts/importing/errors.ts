import { defineErrors } from '#server/platform/http/errors.ts'

export const importErrors = defineErrors('CONTACT_IMPORTS', {
  NOT_FOUND: 404,
  /** One file at a time. */
  UNDER_WAY: 409,
})
