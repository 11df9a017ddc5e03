import { defineErrors } from '#server/platform/http/errors.ts'

export const sandboxErrors = defineErrors('SANDBOX', {
  /** No customer with this number exists in the simulator. */
  CUSTOMER_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  /** The simulated account has no such template. Drafts are not at Meta. */
  TEMPLATE_NOT_FOUND: 404,
  /** The organization has a real number, or none. */
  NOT_CONNECTED: 409,
  /** params: `limit` */
  TOO_MANY_FAULTS: 409,
  /** The installation's app is at Meta, or there is none, so nobody can sign up here. */
  SIGNUP_OFF: 409,
})
