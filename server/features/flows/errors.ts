import { defineErrors } from '#server/platform/http/errors.ts'

export const flowErrors = defineErrors('FLOWS', {
  /** An unknown flow, or another organization's: one answer for both. */
  NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  TOO_MANY: 409,
  /** Somebody has saved meanwhile; `name` is theirs. */
  STALE: 409,
  /** Errors prevent publishing; the details name their nodes. */
  HAS_PROBLEMS: 422,
  NOT_PUBLISHED: 409,
  /** The flow has running sessions. */
  HAS_SESSIONS: 409,
  RUN_NOT_FOUND: 404,
  /** No flow sent the message, or the caller may not see it. */
  MESSAGE_NOT_FOUND: 404,
  NOT_LIVE: 409,
  /** The customer is already in a flow. */
  IN_A_FLOW: 409,
  WINDOW_CLOSED: 409,
  /** No flow has that address, or it was replaced. */
  HOOK_NOT_FOUND: 404,
  /** The published version has no trigger for calls of its address. */
  HOOK_UNUSED: 409,
  /** The trigger requires business hours, or the time outside them. */
  HOOK_HOURS: 409,
  /** The trigger requires a tag that the contact does not have. */
  HOOK_TAG: 409,
  /** The trigger runs once per contact, and the contact was in the flow before. */
  HOOK_BEFORE: 409,
  /** A person has the conversation, or the customer waits for one. */
  WITH_A_PERSON: 409,
  CONTACT_BLOCKED: 409,
  /** The contact opted out of marketing, and the flow has a marketing template. */
  OPTED_OUT: 409,
  /** No connected number with which a flow could be tested. */
  NO_NUMBER: 409,
  SECRET_NOT_FOUND: 404,
  /** A secret with this `name` exists. */
  SECRET_TAKEN: 409,
  /** A published flow uses the secret; `name` is the flow's. */
  SECRET_IN_USE: 409,
  TOO_MANY_SECRETS: 409,
  /** The step is not in the draft, makes no call, or is incomplete. */
  CALL_NOT_READY: 422,
})
