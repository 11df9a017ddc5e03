import { defineErrors } from '../platform/http/errors.ts'

export const sandboxErrors = defineErrors('SANDBOX', {
  /** Nobody with this number has appeared in the simulator. */
  CUSTOMER_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  /** The simulated account has no such template: drafts are not there. */
  TEMPLATE_NOT_FOUND: 404,
  /** The organization's number is a real one, or it has none. */
  NOT_CONNECTED: 409,
  /** params: `limit` */
  TOO_MANY_FAULTS: 409,
  /** The installation's app is Meta's, or there is none: nobody signs up here. */
  SIGNUP_OFF: 409,
})
