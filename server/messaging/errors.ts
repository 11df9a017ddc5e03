import { defineErrors } from '../platform/http/errors.ts'

export const inboxErrors = defineErrors('INBOX', {
  /** No chat with this number, or not one of this organization: one answer for both. */
  CHAT_NOT_FOUND: 404,
  /** Not of this organization, or without the right to answer customers. */
  ASSIGNEE_NOT_FOUND: 404,
  TEAM_NOT_FOUND: 404,
  /** Somebody else has the conversation by now. params: `name` */
  TAKEN_MEANWHILE: 409,
  /** No such field of contacts, or not one of this organization. */
  FIELD_NOT_FOUND: 404,
  FIELD_LABEL_TAKEN: 409,
  /** params: `limit` */
  TOO_MANY_FIELDS: 409,
  MESSAGE_NOT_FOUND: 404,
  NOTE_NOT_FOUND: 404,
  /** A note is changed by who wrote it, and deleted by them, by owners and by administrators. */
  NOTE_NOT_YOURS: 403,
  MESSAGE_TYPE_UNSUPPORTED: 400,
  /** params: `closedAt`, empty when the customer never wrote. */
  WINDOW_CLOSED: 409,
  /** As WINDOW_CLOSED, of a message with a button behind which something is to happen: a template can carry one. */
  ACTION_WINDOW_CLOSED: 409,
  NOT_CONNECTED: 409,
  /** A product is of a catalogue, and none is linked to the number's account. */
  NO_CATALOGUE: 409,
  /** The call to WhatsApp is under way, or nobody knows how it ended: it cannot be taken back any more. */
  MESSAGE_IN_FLIGHT: 409,
  /** It does not wait to be sent, so there is nothing to cancel. */
  MESSAGE_NOT_WAITING: 409,
  /** They opted out of marketing in WhatsApp: only they can take that back. */
  OPT_OUT_BY_CUSTOMER: 409,
  /** Only a failed message can be sent again. */
  MESSAGE_NOT_FAILED: 409,
  /** Nobody knows whether WhatsApp took it; sending it again could double it. */
  MESSAGE_UNCONFIRMED: 409,
  /** Not sent yet, deleted, or more than 30 days old. */
  REACTION_IMPOSSIBLE: 409,
  /** params: `code`; the same message would fail the same way. */
  RETRY_USELESS: 409,
})
