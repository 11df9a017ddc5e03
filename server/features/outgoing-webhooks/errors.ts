import { defineErrors } from '#server/platform/http/errors.ts'

export const webhookErrors = defineErrors('OUTGOING_WEBHOOKS', {
  NOT_FOUND: 404,
  DELIVERY_NOT_FOUND: 404,
  NAME_TAKEN: 409,
  TOO_MANY: 409,
  /** It is inactive: nothing is sent to it. */
  INACTIVE: 409,
})
