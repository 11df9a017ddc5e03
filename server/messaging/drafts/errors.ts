import { defineErrors } from '#server/platform/http/errors.ts'

export const draftErrors = defineErrors('DRAFTS', {
  /** Sent, deleted or taken over meanwhile. */
  NOT_FOUND: 404,
  /** params: `limit` */
  TOO_MANY: 409,
  /** Its author is writing in the chat now. params: `name` */
  BEING_WRITTEN: 409,
  /** Both texts together exceed the limit of a draft. params: `limit` */
  TOO_LONG: 409,
})
