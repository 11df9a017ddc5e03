import { defineErrors } from '#server/platform/http/errors.ts'

export const hookErrors = defineErrors('INCOMING_HOOKS', {
  NOT_FOUND: 404,
  CALL_NOT_FOUND: 404,
  /** No hook has that address, or it was replaced. */
  ADDRESS_NOT_FOUND: 404,
  NAME_TAKEN: 409,
  TOO_MANY: 409,
  /** The hook is switched off. */
  INACTIVE: 409,
  /** The body of the call was too long to be kept. */
  NOT_KEPT: 409,
  CONTACT_BLOCKED: 409,
})
