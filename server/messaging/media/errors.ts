import { defineErrors } from '#server/platform/http/errors.ts'

export const mediaErrors = defineErrors('MEDIA', {
  NOT_FOUND: 404,
  /** It is being fetched, or could not be fetched. */
  NOT_READY: 404,
  NOT_FAILED: 409,
  RANGE_REFUSED: 416,
  /** The organization has used its file quota. */
  NO_ROOM: 413,
})
