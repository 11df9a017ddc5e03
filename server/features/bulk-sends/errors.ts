import { defineErrors } from '#server/platform/http/errors.ts'

export const bulkSendErrors = defineErrors('BULK_SENDS', {
  /** No such send, or not one this caller may see: one answer for both. */
  NOT_FOUND: 404,
  NOT_CONNECTED: 409,
  /** It is in a state from which this cannot be done. */
  WRONG_STATE: 409,
  /** Nobody is left of whom it failed for what may have passed. */
  NOTHING_TO_RETRY: 409,
  /** Nobody is left to send it to. */
  NOBODY: 409,
  /** The role of whoever sends has been granted no tag of some of these people. */
  NOT_PERMITTED: 403,
  SEGMENT_NOT_FOUND: 404,
  TOO_MANY_SEGMENTS: 409,
  /** No such draft, or not one this caller may see. */
  DRAFT_NOT_FOUND: 404,
  TOO_MANY_DRAFTS: 409,
  /** Somebody has saved it since. */
  DRAFT_STALE: 409,
})
