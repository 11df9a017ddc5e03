import type { kindContent, MessageType } from '#shared/inbox/message-kinds.ts'
import type { Message } from '#shared/inbox/messages.ts'

/** The customer, with every identifier Meta gave. One at least is present. `waId` has digits only. */
export interface CustomerIds {
  waId?: string
  bsuid?: string
  username?: string
  profileName?: string
  /** Only if none of the above is known: our name for a group or an unidentified sender. */
  other?: string
}

/** A file to fetch from Meta; ids of inbound media live seven days. `sha256` is lowercase hex. */
export interface InboundMedia {
  providerId: string
  mime: string
  name?: string
  sha256?: string
}

/** The part of a message that is stored as JSON: fields of its kind, and fields that any kind may have. */
export type MessageContent = Pick<
  Message,
  keyof typeof kindContent | 'referral' | 'group' | 'forwarded' | 'forwardedOften' | 'metaAgent'
>

export interface InboundContent {
  type: MessageType
  /** Shown in the list: body, caption, title of a choice, name of a place or file; empty if there is none. */
  text: string
  content?: MessageContent
  media?: InboundMedia
}

export interface VendorFailure {
  /** Meta's number as text: `131047`. */
  code: string
  title: string
  detail?: string
}

/** The status of a message that we sent; Meta's `played` becomes `read`. */
export type VendorStatus = 'sent' | 'delivered' | 'read' | 'failed'

/**
 * One fact of a webhook, in the product's terms. Each item is independent, so that a bad one does not affect others.
 * Times are ISO 8601 UTC from Meta's timestamps. `phoneNumberId` routes it, never the display number.
 *
 * `past`: from the phone's history, imported when it was connected; causes no notification and no unread count, and
 * opens no window. `groupId`: said in a group. `standby`: said while Meta's agent had the chat.
 */
export type WebhookItem = { phoneNumberId?: string; wabaId: string } & (
  | {
      kind: 'message'
      wamid: string
      at: string
      /** The time at which its webhook arrived, which may be long before it is read. Absent: now. */
      receivedAt?: string
      sender: CustomerIds
      body: InboundContent
      replyToWamid?: string
      opensWindow: boolean
      groupId?: string
      past?: true
      standby?: true
    }
  /**
   * Sent by us but not through this product: typed in the Business app or on a linked device (coexistence), or written
   * by Meta's agent (`standby`).
   */
  | {
      kind: 'echo'
      wamid: string
      at: string
      recipient: CustomerIds
      body: InboundContent
      replyToWamid?: string
      /** Only with `past`: the message's status when it was imported. */
      status?: VendorStatus
      past?: true
      standby?: true
    }
  /** `sender` is the customer of the chat, even if `fromUs` says that the Business app reacted. */
  | {
      kind: 'reaction'
      wamid: string
      at: string
      sender: CustomerIds
      targetWamid: string
      emoji: string | null
      opensWindow?: boolean
      fromUs?: true
      past?: true
      standby?: true
    }
  /** Only a message's author may change it: the customer, or we (`fromUs`) from the phone. */
  | { kind: 'edit'; wamid: string; at: string; targetWamid: string; text: string; sender: CustomerIds; fromUs?: true }
  | { kind: 'revoke'; wamid: string; at: string; targetWamid: string; sender: CustomerIds; fromUs?: true }
  /** `recipient` has no identifier if the message went to a group. */
  | {
      kind: 'status'
      wamid: string
      at: string
      status: VendorStatus
      recipient: CustomerIds
      callback?: string
      failure?: VendorFailure
      /** Until when messages to this person, who came by an advertisement, are free. */
      freeUntil?: string
      /** Meta's billing of the message: type and category, such as `regular:marketing`. */
      pricing?: string
    }
  /** Meta's agent handed a chat over to the business (`people`), or has it from now on. `note`: the agent's summary. */
  | { kind: 'handover'; at: string; sender: CustomerIds; to: 'people' | 'metaAgent'; note: string }
  /** A person joined or left a group. `who`: names or numbers. */
  | { kind: 'groupChange'; at: string; sender: CustomerIds; change: 'joined' | 'left'; who: string }
  /** The same person with new identifiers: changed number, regenerated user id, adopted username. */
  | { kind: 'identity'; at: string; previous: CustomerIds; current: CustomerIds; note: string; wamid?: string }
  /**
   * Templates, quality, account, preferences and so on, for the feature that handles the field. `at`: Meta's timestamp,
   * if any.
   */
  | { kind: 'management'; field: string; value: unknown; at?: string }
  /** Not understood; `raw` is its JSON. */
  | { kind: 'unknown'; field: string; raw: string }
)

/** The kinds of items that are read into facts of the product. */
export type ItemKind = Exclude<WebhookItem['kind'], 'management' | 'unknown'>
