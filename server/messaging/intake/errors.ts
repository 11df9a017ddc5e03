import { defineErrors } from '#server/platform/http/errors.ts'

export const intakeErrors = defineErrors('INTAKE', {
  /** Also the answer for a connection that does not exist: a stranger learns nothing from the difference. */
  SIGNATURE_REFUSED: 401,
  HANDSHAKE_REFUSED: 403,
  /** More waits for one connection than may; Meta sends it again. */
  TOO_MANY_WAITING: 503,
})
