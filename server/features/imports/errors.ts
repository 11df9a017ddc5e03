import { defineErrors } from '#server/platform/http/errors.ts'

export const importErrors = defineErrors('IMPORTS', {
  NOT_FOUND: 404,
  /** The file is not complete. */
  NOT_WHOLE: 409,
  /** The piece does not begin where the last one ended. */
  WRONG_PLACE: 409,
  /** Except the last one. */
  PIECE_TOO_SMALL: 400,
  /** What is asked does not fit its state. */
  WRONG_STATE: 409,
  /** It is not said who is who. */
  NOT_MAPPED: 409,
  /** Too many are unfinished. */
  TOO_MANY: 409,
  UNDO_TOO_LATE: 409,
  /** What it added can still be undone. */
  CAN_BE_UNDONE: 409,
})
