import { defineErrors } from '#server/platform/http/errors.ts'

export const bulkSendErrors = defineErrors('BULK_SENDS', {
  /** Also for a send this caller may not see. */
  NOT_FOUND: 404,
  NOT_CONNECTED: 409,
  /** Not possible in its state. */
  WRONG_STATE: 409,
  /** Nobody failed for a reason that may have passed. */
  NOTHING_TO_RETRY: 409,
  /** Nobody is left to send it to. */
  NOBODY: 409,
  /** The sender's role may not send to some of these people, because they have none of its tags. */
  NOT_PERMITTED: 403,
  /** It is so large that a second person has to approve it. */
  APPROVAL_NEEDED: 409,
  /** A second person approves a send, not its creator, and no program. */
  APPROVAL_OF_OWN: 403,
  SEGMENT_NOT_FOUND: 404,
  TOO_MANY_SEGMENTS: 409,
  /** Also for a draft this caller may not see. */
  DRAFT_NOT_FOUND: 404,
  TOO_MANY_DRAFTS: 409,
  /** It was saved by somebody else meanwhile. */
  DRAFT_STALE: 409,
})
