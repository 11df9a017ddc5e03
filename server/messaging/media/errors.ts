import { defineErrors } from '#server/platform/http/errors.ts'

export const mediaErrors = defineErrors('MEDIA', {
  NOT_FOUND: 404,
  /** Still being fetched, or it could not be. */
  NOT_READY: 404,
  NOT_FAILED: 409,
  RANGE_REFUSED: 416,
  /** The organization keeps as many bytes of files as it may. */
  NO_ROOM: 413,
})
