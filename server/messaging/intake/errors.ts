import { defineErrors } from '#server/platform/http/errors.ts'

export const intakeErrors = defineErrors('INTAKE', {
  /** Also the answer for an unknown connection, so that its existence is not revealed. */
  SIGNATURE_REFUSED: 401,
  HANDSHAKE_REFUSED: 403,
  /** Also for a delivery of another organization. */
  DELIVERY_NOT_FOUND: 404,
  /** Too many webhooks of one connection wait. Meta sends it again. */
  TOO_MANY_WAITING: 503,
})
