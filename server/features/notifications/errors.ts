import { defineErrors } from '#server/platform/http/errors.ts'

export const notificationErrors = defineErrors('NOTIFICATIONS', {
  NOT_FOUND: 404,
  /** params: `limit` */
  TOO_MANY_MUTED: 409,
})
