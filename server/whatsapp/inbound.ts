import type { Message, MessageType } from '#shared/inbox/messages.ts'

/** Who wrote, by every identifier Meta gave; all may be absent but never all at once. `waId` is digits. */
export interface Sender {
  waId?: string
  bsuid?: string
  username?: string
  profileName?: string
  /** Only where there is none of the above: a name of ours for a group, or for whoever cannot be told. */
  other?: string
}

/** A file to fetch from Meta; ids of inbound media live seven days. `sha256` is lowercase hex. */
export interface InboundMedia {
  providerId: string
  mime: string
  name?: string
  sha256?: string
}

/** The parts of a message that only some kinds have, in the product's words. */
export type MessageContent = Pick<
  Message,
  | 'location'
  | 'contacts'
  | 'interactive'
  | 'template'
  | 'choice'
  | 'form'
  | 'order'
  | 'referral'
  | 'news'
  | 'call'
  | 'group'
  | 'forwarded'
  | 'forwardedOften'
  | 'metaAgent'
  | 'withheld'
  | 'raw'
>

export interface InboundContent {
  type: MessageType
  /** What the list shows: body, caption, title of a choice, name of a place or a file; empty when there is none. */
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

/** How far a message of ours had come; Meta's `played` is `read`. */
export type VendorStatus = 'sent' | 'delivered' | 'read' | 'failed'

/**
 * What one webhook says, in the product's words; each item stands alone, so that a bad one never takes its neighbours
 * along. Times are ISO 8601 UTC from Meta's own stamps. `phoneNumberId` routes it, never the display number.
 *
 * `past` marks what a phone's history brought along when it was connected: nobody is notified of it, nothing of it
 * is unread, and it opens no window. `groupId` marks what was said in a group, not to us alone. `standby` marks what
 * was said while Meta's own agent had the chat.
 */
export type WebhookItem = { phoneNumberId?: string; wabaId: string } & (
  | {
      kind: 'message'
      wamid: string
      at: string
      /** When its webhook came, which is not when it is read: that may be much later. Absent: it comes now. */
      receivedAt?: string
      sender: Sender
      body: InboundContent
      replyToWamid?: string
      opensWindow: boolean
      groupId?: string
      past?: true
      standby?: true
    }
  /**
   * Typed in the Business app or on a linked device (coexistence), or written by Meta's agent (`standby`): ours, but
   * not sent by this product.
   */
  | {
      kind: 'echo'
      wamid: string
      at: string
      recipient: Sender
      body: InboundContent
      replyToWamid?: string
      /** Only with `past`: where the message stood when it was brought along. */
      status?: VendorStatus
      past?: true
      standby?: true
    }
  /** `sender` is the customer of the chat, also where `fromUs` says that the Business app reacted. */
  | {
      kind: 'reaction'
      wamid: string
      at: string
      sender: Sender
      targetWamid: string
      emoji: string | null
      opensWindow?: boolean
      fromUs?: true
      past?: true
      standby?: true
    }
  /** Only who wrote a message may change it: the customer of its chat, or we (`fromUs`), from the phone. */
  | { kind: 'edit'; wamid: string; at: string; targetWamid: string; text: string; sender: Sender; fromUs?: true }
  | { kind: 'revoke'; wamid: string; at: string; targetWamid: string; sender: Sender; fromUs?: true }
  /** `recipient` has no identifier at all where the message went to a group. */
  | {
      kind: 'status'
      wamid: string
      at: string
      status: VendorStatus
      recipient: Sender
      callback?: string
      failure?: VendorFailure
      /** Until when nothing is taken for messages to this person, who came by an advertisement. */
      freeUntil?: string
    }
  /** Meta's agent gave a chat to the business (`people`), or has it from now on. `note`: what it says of the chat. */
  | { kind: 'handover'; at: string; sender: Sender; to: 'people' | 'metaAgent'; note: string }
  /** Somebody came into a group, or left it. `who`: their names or numbers. */
  | { kind: 'groupChange'; at: string; sender: Sender; change: 'joined' | 'left'; who: string }
  /** The same person under new identifiers: changed number, regenerated user id, adopted username. */
  | { kind: 'identity'; at: string; previous: Sender; current: Sender; note: string; wamid?: string }
  /** Templates, quality, account, preferences …: kept, shown where its room exists. `at` where Meta stamped it. */
  | { kind: 'management'; field: string; value: unknown; at?: string }
  /** Not understood; `raw` is its JSON. */
  | { kind: 'unknown'; field: string; raw: string }
)
