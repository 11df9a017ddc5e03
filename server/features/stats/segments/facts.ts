/** The columns of a message that segments depend on. */
export interface SegmentMessage {
  readonly seq: number
  readonly id: string
  readonly conversation_id: string
  readonly at: string
  readonly direction: string
  readonly type: string
  readonly author_kind: string | null
  readonly author_id: string | null
  readonly status: string
  /** Null: not imported. */
  readonly import_id: string | null
  /** JSON; null except for activity lines, system messages of WhatsApp, and messages with a referral. */
  readonly content: string | null
}

/** The meaning of a message for the segments of its conversation. */
export type Fact =
  | { readonly kind: 'customer'; readonly isFromAd: boolean }
  /** Typed by a person. `by`: null when it was written in the WhatsApp app, which does not say by whom. */
  | { readonly kind: 'person'; readonly by: string | null }
  | { readonly kind: 'bot' }
  | { readonly kind: 'bulk' }
  /** Any other outbound message: a template that a person chose, a message sent by API, or one that failed. */
  | { readonly kind: 'ours' }
  /** A bot, or Meta's agent, gives the conversation to people. */
  | { readonly kind: 'handOver'; readonly owner?: string; readonly team?: string }
  | { readonly kind: 'botStarts' }
  | { readonly kind: 'resolved' }
  /** A person or a program took the archiving back. */
  | { readonly kind: 'reopened' }
  | { readonly kind: 'owner'; readonly id: string | null }
  | { readonly kind: 'team'; readonly id: string | null }

interface Content {
  readonly referral?: { readonly sourceType?: string }
  readonly news?: { readonly kind?: string }
  readonly activity?: {
    readonly kind: string
    readonly by: { readonly kind: string }
    readonly assignee?: { readonly id: string }
    readonly team?: { readonly id: string }
  }
}

const read = (content: string | null): Content => (content === null ? {} : (JSON.parse(content) as Content))

const activityFact = ({ activity }: Content): Fact | undefined => {
  if (!activity) return undefined
  const { kind, by, assignee, team } = activity
  switch (kind) {
    case 'archived':
      return { kind: 'resolved' }
    case 'unarchived':
      return by.kind === 'person' || by.kind === 'key' ? { kind: 'reopened' } : undefined
    case 'botStarted':
      return { kind: 'botStarts' }
    case 'handedOver':
      return { kind: 'handOver' }
    case 'assigned':
      // When a flow assigns a person or a team, this line is the only record of the hand-over.
      if (by.kind === 'bot')
        return { kind: 'handOver', ...(assignee && { owner: assignee.id }), ...(team && { team: team.id }) }
      if (assignee) return { kind: 'owner', id: assignee.id }
      return team ? { kind: 'team', id: team.id } : undefined
    case 'unassigned':
      return assignee ? { kind: 'owner', id: null } : { kind: 'team', id: null }
    default:
      return undefined
  }
}

const inboundFact = ({ type, content }: SegmentMessage): Fact | undefined => {
  // The customer did not write these: WhatsApp reports a change, or that the customer opened the chat.
  if (type === 'system') return read(content).news?.kind === 'agentLeft' ? { kind: 'handOver' } : undefined
  if (type === 'welcome') return undefined
  const { referral } = read(content)
  return { kind: 'customer', isFromAd: referral !== undefined && referral.sourceType !== 'product' }
}

const outboundFact = ({ type, author_kind: author, author_id: by, status }: SegmentMessage): Fact => {
  if (author === 'bot' || author === 'metaAgent') return { kind: 'bot' }
  if (author === 'bulk') return { kind: 'bulk' }
  if (type === 'template') return { kind: 'ours' }
  // The customer never got it. A trigger marks the conversation for a rebuild when a message fails, or is sent again.
  if (author === 'person') return status === 'failed' ? { kind: 'ours' } : { kind: 'person', by }
  return author === 'phone' ? { kind: 'person', by: null } : { kind: 'ours' }
}

/** Undefined: the message does not affect segments, for example a note. */
export const factOf = (message: SegmentMessage): Fact | undefined => {
  if (message.type === 'activity') return activityFact(read(message.content))
  if (message.direction === 'in') return inboundFact(message)
  return message.direction === 'out' ? outboundFact(message) : undefined
}
