import { defineErrors } from '#server/platform/http/errors.ts'

export const draftErrors = defineErrors('DRAFTS', {
  /** Sent, deleted or taken by somebody else meanwhile. */
  NOT_FOUND: 404,
  /** params: `limit` */
  TOO_MANY: 409,
  /** Whose it is writes in the chat right now. params: `name` */
  BEING_WRITTEN: 409,
  /** Both together are longer than a draft may be. params: `limit` */
  TOO_LONG: 409,
})
