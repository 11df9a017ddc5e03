import { Type } from 'typebox'

/**
 * `preparing`: recipients are being written · `ready`: waits to be started by hand · `scheduled`: starts at `startsAt`
 * · `blocked`: stopped automatically because of `reason`, continues when somebody resumes it.
 */
export const bulkSendStates = [
  'preparing',
  'ready',
  'scheduled',
  'running',
  'paused',
  'blocked',
  'completed',
  'cancelled',
] as const
export type BulkSendState = (typeof bulkSendStates)[number]

/** Filters of the list: in progress, needs action, upcoming, ended. */
export const bulkSendGroups = {
  running: ['preparing', 'running'],
  attention: ['ready', 'paused', 'blocked'],
  scheduled: ['scheduled'],
  over: ['completed', 'cancelled'],
} as const satisfies Readonly<Record<string, readonly BulkSendState[]>>
export type BulkSendGroup = keyof typeof bulkSendGroups
export const groupNames = Object.keys(bulkSendGroups) as BulkSendGroup[]

/** `needed`: it waits for a second person. Null: its organization asks for none, or it is small. */
export const approvals = ['needed', 'given'] as const
export type Approval = (typeof approvals)[number]

/**
 * `planned`: not handed over yet · `queued`: handed over, not accepted by WhatsApp yet · `unconfirmed`: nobody knows whether
 * WhatsApp took it, so it is not sent again · `failed`: they certainly did not get it.
 */
export const recipientStates = [
  'planned',
  'queued',
  'sent',
  'delivered',
  'read',
  'replied',
  'unconfirmed',
  'failed',
  'omitted',
] as const
export type RecipientState = (typeof recipientStates)[number]

/**
 * The states that each figure of a send counts. A later state includes the earlier ones: a message that was read was also
 * delivered. `sent` counts every message that was tried.
 */
export const outcomeStates = {
  sent: ['sent', 'delivered', 'read', 'replied', 'unconfirmed', 'failed'],
  delivered: ['delivered', 'read', 'replied'],
  read: ['read', 'replied'],
  replied: ['replied'],
  failed: ['failed'],
} as const satisfies Readonly<Record<string, readonly RecipientState[]>>

/** The figures of a send in the order of the funnel. */
export const sendFigures = Object.keys(outcomeStates) as (keyof typeof outcomeStates)[]

/** The figures of a send, the same in lists, reports, files and statistics. */
export const figuresOfSend = (
  counts: Readonly<Record<RecipientState, number>>,
): Readonly<Record<keyof typeof outcomeStates, number>> => {
  const sum = (states: readonly RecipientState[]) => states.reduce((all, state) => all + counts[state], 0)
  const { sent, delivered, read, replied, failed } = outcomeStates
  return { sent: sum(sent), delivered: sum(delivered), read: sum(read), replied: sum(replied), failed: sum(failed) }
}

/** The whole of which each figure's share is a part. Undefined: it has none. */
export const wholeOf = {
  sent: undefined,
  delivered: 'sent',
  read: 'delivered',
  replied: 'delivered',
  failed: 'sent',
  optedOut: undefined,
} as const satisfies Readonly<Record<RecipientOutcome, RecipientOutcome | undefined>>

/** Figures of a send. `optedOut`: they did not want marketing any more after it, in whatever state they are. */
export const recipientOutcomes = ['sent', 'delivered', 'read', 'replied', 'failed', 'optedOut'] as const
export type RecipientOutcome = (typeof recipientOutcomes)[number]

/**
 * Why a recipient is omitted before anything is sent. `blocked`, `optedOut`, `capped` and `contactsFull` may also occur
 * at hand-over; `contactsFull`: not a contact yet, and the organization has the maximum.
 */
export const omissionReasons = [
  'duplicate',
  'invalidNumber',
  'ownNumber',
  'usernameOnly',
  'noPermission',
  'blocked',
  'optedOut',
  'capped',
  'valueMissing',
  'valueTooLong',
  'valueNotOneLine',
  'offerOver',
  'fileMissing',
  'fileKind',
  'fileAddress',
  'contactsFull',
  'erased',
] as const
export type OmissionReason = (typeof omissionReasons)[number]

/** Why a send stopped automatically. `tooManyPeople`: it was never written and is cancelled. */
export const blockReasons = [
  'notConnected',
  'tokenLost',
  'accountBlocked',
  'limitReached',
  'templateGone',
  'templatePaused',
  'templateDisabled',
  'templateNotApproved',
  'templateRefused',
  'noPermission',
  'tooManyFailed',
  'tooManyOptedOut',
  'qualityLow',
  'templateRecategorised',
  'tooManyPeople',
] as const
export type BlockReason = (typeof blockReasons)[number]

/**
 * Why a running send waits. `peopleLimit`: Meta's daily limit of people written to first is reached · `hours`: outside
 * the hours of the remaining recipients.
 */
export const holdReasons = ['peopleLimit', 'hours'] as const
export type HoldReason = (typeof holdReasons)[number]

export const BulkSendId = Type.String({ pattern: '^[0-9a-z]{24}$' })
