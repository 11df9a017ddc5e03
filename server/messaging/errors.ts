import { defineErrors } from '#server/platform/http/errors.ts'

export const inboxErrors = defineErrors('INBOX', {
  /** Also for a chat of another organization. */
  CHAT_NOT_FOUND: 404,
  /** Not a member, or without the right to answer customers. */
  ASSIGNEE_NOT_FOUND: 404,
  TEAM_NOT_FOUND: 404,
  /** An archived conversation cannot be snoozed. */
  CHAT_ARCHIVED: 409,
  /** The organization has chosen no template for windows that are about to close. */
  NO_WINDOW_TEMPLATE: 409,
  /** Somebody else has taken the conversation. params: `name` */
  TAKEN_MEANWHILE: 409,
  /** Also for a contact field of another organization. */
  FIELD_NOT_FOUND: 404,
  FIELD_LABEL_TAKEN: 409,
  /** params: `limit` */
  TOO_MANY_FIELDS: 409,
  MESSAGE_NOT_FOUND: 404,
  NOTE_NOT_FOUND: 404,
  /** A note may be changed by its author, and deleted by its author, owners and administrators. */
  NOTE_NOT_YOURS: 403,
  MESSAGE_TYPE_UNSUPPORTED: 400,
  /** params: `closedAt`, empty when the customer never wrote. */
  WINDOW_CLOSED: 409,
  /** Like WINDOW_CLOSED, for a message with an action button: a template can carry one. */
  ACTION_WINDOW_CLOSED: 409,
  NOT_CONNECTED: 409,
  /** Products need a catalogue, and none is linked to the number's account. */
  NO_CATALOGUE: 409,
  /** The request to WhatsApp is under way or its outcome is unknown, so it cannot be cancelled. */
  MESSAGE_IN_FLIGHT: 409,
  /** It is not queued. */
  MESSAGE_NOT_WAITING: 409,
  /** The customer wants no marketing, and the template is of that category. */
  OPTED_OUT: 409,
  /** The customer opted out in WhatsApp. Only they can undo it. */
  OPT_OUT_BY_CUSTOMER: 409,
  /** Only a failed message can be sent again. */
  MESSAGE_NOT_FAILED: 409,
  /** WhatsApp may have accepted it; sending it again could duplicate it. */
  MESSAGE_UNCONFIRMED: 409,
  /** Not sent yet, deleted, or more than 30 days old. */
  REACTION_IMPOSSIBLE: 409,
  /** params: `code`. The same message would fail again. */
  RETRY_USELESS: 409,
})
