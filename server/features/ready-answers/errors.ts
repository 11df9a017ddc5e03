import { defineErrors } from '#server/platform/http/errors.ts'

export const answerErrors = defineErrors('READY_ANSWERS', {
  /** Also for another person's answer. */
  NOT_FOUND: 404,
  NOT_YOURS: 403,
  FILE_NOT_FOUND: 404,
  SHORTCUT_TAKEN: 409,
  TOO_MANY: 409,
})
