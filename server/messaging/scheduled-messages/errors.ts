import { defineErrors } from '#server/platform/http/errors.ts'

export const scheduledErrors = defineErrors('SCHEDULED', {
  /** Not of this chat, or sent or cancelled meanwhile. */
  NOT_FOUND: 404,
  /** It goes in its author's name: they change and send it; owners and administrators may cancel it. */
  NOT_YOURS: 403,
  /** params: `limit` */
  TOO_MANY: 409,
  /** params: `limit` */
  TOO_MANY_OF_AUTHOR: 409,
  /** Whoever wrote it may not write to this customer any more. */
  AUTHOR_GONE: 409,
  CONTACT_BLOCKED: 409,
})
