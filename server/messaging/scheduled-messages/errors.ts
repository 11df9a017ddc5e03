import { defineErrors } from '#server/platform/http/errors.ts'

export const scheduledErrors = defineErrors('SCHEDULED', {
  /** Not in this chat, or sent or cancelled meanwhile. */
  NOT_FOUND: 404,
  /** It is sent in its author's name, so only they change and send it. Owners and administrators may cancel it. */
  NOT_YOURS: 403,
  /** params: `limit` */
  TOO_MANY: 409,
  /** params: `limit` */
  TOO_MANY_OF_AUTHOR: 409,
  /** The author may no longer write to this customer. */
  AUTHOR_GONE: 409,
  CONTACT_BLOCKED: 409,
  /** The system that sends it did not accept it. */
  REFUSED: 409,
  /** The system that sends it did not answer. Perhaps the customer got it. */
  UNCERTAIN: 409,
})
