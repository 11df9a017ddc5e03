import { defineErrors } from '#server/platform/http/errors.ts'

export const exportErrors = defineErrors('STATS_EXPORTS', {
  NOT_FOUND: 404,
  /** One at a time for each person. */
  UNDER_WAY: 409,
  /** Too many of the organization are being written. */
  TOO_MANY: 409,
  /** The files of the organization take all of their room. */
  NO_ROOM: 409,
  /** It is still being written, was stopped or has failed. */
  NOT_READY: 409,
  /** The rights of the person who requested the export have changed since it was written. */
  RIGHTS_CHANGED: 409,
  NOT_WHILE_IMPERSONATING: 403,
})
