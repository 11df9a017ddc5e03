import { defineErrors } from '#server/platform/http/errors.ts'

export const flowErrors = defineErrors('FLOWS', {
  /** No such flow, or not one of this organization: one answer for both. */
  NOT_FOUND: 404,
  VERSION_NOT_FOUND: 404,
  TOO_MANY: 409,
  /** Somebody saved since; `name` says who. */
  STALE: 409,
  /** Errors keep it from being published; the details name their nodes. */
  HAS_PROBLEMS: 422,
  NOT_PUBLISHED: 409,
  /** Somebody is in it. */
  HAS_SESSIONS: 409,
  RUN_NOT_FOUND: 404,
  /** No flow said it, or it is not the caller's to see. */
  MESSAGE_NOT_FOUND: 404,
  NOT_LIVE: 409,
  /** The customer is in a flow already. */
  IN_A_FLOW: 409,
  WINDOW_CLOSED: 409,
  /** No flow has that address, or it was replaced. */
  HOOK_NOT_FOUND: 404,
  /** As it is published, the flow begins with no call of its address. */
  HOOK_UNUSED: 409,
  /** The trigger wants business hours, or that there are none. */
  HOOK_HOURS: 409,
  /** The trigger wants a tag that the contact does not carry. */
  HOOK_TAG: 409,
  /** The trigger is for everybody once, and they were in the flow. */
  HOOK_BEFORE: 409,
  /** A person has the conversation, or the customer waits for one. */
  WITH_A_PERSON: 409,
  CONTACT_BLOCKED: 409,
  /** They want no marketing, and the flow has a template of it. */
  OPTED_OUT: 409,
  /** No number is connected by which a flow could be tried. */
  NO_NUMBER: 409,
  SECRET_NOT_FOUND: 404,
  /** There is one of this name; `name` is it. */
  SECRET_TAKEN: 409,
  /** A published flow names it; `name` says which. */
  SECRET_IN_USE: 409,
  TOO_MANY_SECRETS: 409,
  /** The step is not in the draft, calls nobody, or is not finished. */
  CALL_NOT_READY: 422,
})
