import { defineErrors } from '#server/platform/http/errors.ts'

export const importErrors = defineErrors('IMPORTS', {
  NOT_FOUND: 404,
  /** The file is not complete. */
  NOT_WHOLE: 409,
  /** The piece does not begin where the last one ended. */
  WRONG_PLACE: 409,
  /** Except the last one. */
  PIECE_TOO_SMALL: 400,
  /** The request does not fit the import's state. */
  WRONG_STATE: 409,
  /** The people and numbers of the file are not mapped yet. */
  NOT_MAPPED: 409,
  /** Too many are unfinished. */
  TOO_MANY: 409,
  UNDO_TOO_LATE: 409,
  /** The data it added can still be removed by undoing it. */
  CAN_BE_UNDONE: 409,
})
