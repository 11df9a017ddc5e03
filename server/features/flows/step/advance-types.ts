import type { CallFacts, CallResult, PreparedCall } from '#shared/flows/http/http.ts'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import type { FlowMedia } from '#shared/flows/nodes/message.ts'
import type { BuiltInValues, FlowVariables } from '#shared/flows/variables.ts'
import type { Work } from '#shared/kernel/work.ts'
import type { SentTemplate } from '#shared/outbound/api.ts'
import type { ShownOption } from './message-texts.ts'

/** The position of a session between two inputs. */
export interface SessionPosition {
  readonly nodeId: string
  readonly variables: FlowVariables
  /** Invalid answers so far to the current question. */
  readonly tries: number
  /** The nodes of the calling flows, the outermost first; absent: the session is in the flow itself. */
  readonly inside?: readonly string[]
  /** Service calls since the last input from outside. */
  readonly calls?: number
  /** The customer's last message that the session read; absent: none. */
  readonly said?: string
  /** The node is about to send, and the customer sees the typing indicator. */
  readonly isTyping?: true
  /** The last file came in at this time. Files right after it belong to the same answer. */
  readonly fileAt?: string
  /** The node could not send yet, because WhatsApp's window was closed. */
  readonly isParked?: true
}

/** The content of a message without text: a file by its name or type, a location by its coordinates. */
export interface SharedThing {
  readonly kind: 'file' | 'location'
  readonly value: string
}

/** An input from outside. `tapped`: the node and option · `at`: when a file was sent. */
export type FlowInput =
  | { readonly kind: 'begin' }
  | {
      readonly kind: 'message'
      readonly text: string
      readonly isText: boolean
      readonly tapped: { readonly nodeId: string; readonly optionId: string } | null
      readonly shared?: SharedThing | undefined
      readonly at?: string | undefined
    }
  | { readonly kind: 'time' }
  | { readonly kind: 'call'; readonly result: CallResult }

/** A template with its values as of now, and its display. */
export interface ReadyFlowTemplate {
  readonly id: string
  readonly message: Record<string, unknown>
  readonly text: string
  readonly shown: SentTemplate
  /** A value was cut, because the whole text would have been too long. */
  readonly isCut?: boolean
}
/** Why a template cannot be sent. */
export type TemplateRefusal =
  | 'templateGone'
  | 'templateNotApproved'
  | 'templateOptedOut'
  | 'templateValues'
  | 'templateOfferOver'

/** The current facts about customer and organization; tags change during an advance. */
export interface FlowWorld {
  /** ISO 8601. */
  readonly now: string
  /** The conversation's id: it seeds random choices, so that they are the same at each visit. */
  readonly customerId: string
  readonly timeZone: string
  /** Within business hours. */
  readonly isOpen: boolean
  readonly builtIn: BuiltInValues
  readonly tagIds: readonly string[]
  readonly isWindowOpen: boolean
  /**
   * After this long without an answer the session expires, unless the node sets a time of its own; 0: after a month.
   */
  readonly expiresAfterHours: number
  /** The text sent at expiry; null: none. */
  readonly expiredText: string | null
  /** The default label that opens a list of options. */
  readonly listLabel: string
  /** Ids of the organization's tags. */
  readonly knownTagIds: readonly string[]
  /** The work the advance may cost; absent: the limit of a single advance. */
  readonly work?: Work | undefined
  /** Fills a template with its values, for sending at `now` (ISO 8601). */
  fillTemplate(choice: TemplateChoice, now: string): ReadyFlowTemplate | TemplateRefusal
}

/** An effect outside the session, in the order of the steps. */
export type FlowEffect =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'media'; readonly media: FlowMedia; readonly text: string }
  | { readonly kind: 'typing' }
  | { readonly kind: 'template'; readonly ready: ReadyFlowTemplate }
  | {
      readonly kind: 'options'
      readonly nodeId: string
      readonly text: string
      readonly options: readonly ShownOption[]
      /** The label that opens the list; null if they are buttons. */
      readonly listLabel: string | null
    }
  | { readonly kind: 'tag'; readonly action: 'add' | 'remove'; readonly tagId: string }
  | { readonly kind: 'contact'; readonly field: 'name' | 'note'; readonly value: string }
  | { readonly kind: 'archive' }
  | { readonly kind: 'call'; readonly call: PreparedCall }

/** Why a step went the way it did, or why a session ended. */
const stepReasons = [
  'asked',
  'askedAgain',
  'askedAsList',
  'askedCut',
  'textCut',
  'answered',
  'notAnAnswer',
  'tooManyTries',
  'chosen',
  'otherAnswer',
  'noAnswer',
  'rulesHold',
  'rulesFail',
  'waits',
  'waited',
  'typing',
  'nothingToSay',
  'windowClosed',
  'windowOpened',
  'byTemplate',
  'templateGone',
  'templateNotApproved',
  'templateOptedOut',
  'templateValues',
  'templateOfferOver',
  'tagGone',
  'nothingToKeep',
  'notAName',
  'calculated',
  'notCalculated',
  'tooMuchWork',
  'outsideHours',
  'entered',
  'returned',
  'flowGone',
  'tooDeep',
  'nodeGone',
  'tooManySteps',
  'calls',
  'callAnswered',
  'callRefused',
  'callRejected',
  'callNotJson',
  'callAddress',
  'callTooLarge',
  'callSecret',
  'callTimedOut',
  'callNoAnswer',
  'callUnconfirmed',
] as const
type StepReason = (typeof stepReasons)[number]

export interface FlowStep {
  readonly nodeId: string
  readonly input: string | null
  readonly output: string | null
  readonly why: StepReason | null
  readonly changes: Readonly<Record<string, { readonly before: string | null; readonly after: string }>>
  readonly effect: FlowEffect | null
  /** The outcome of a call; absent: there was none. */
  readonly call?: CallFacts
}

/** `handedOff`: the requested assignee, a note for the team and a text for the customer. */
export type FlowOutcome =
  | {
      readonly kind: 'waits'
      readonly for: 'answer' | 'time' | 'call' | 'window'
      readonly until: string
      readonly place: SessionPosition
    }
  | { readonly kind: 'finished' }
  | {
      readonly kind: 'handedOff'
      /** `asked`: by a node. */
      readonly reason:
        | 'asked'
        | 'tagGone'
        | 'nodeGone'
        | 'nothingToSay'
        | 'tooManySteps'
        | 'flowGone'
        | 'tooDeep'
        | 'callFailed'
        | TemplateRefusal
      readonly teamId: string | null
      readonly memberId: string | null
      readonly note: string | null
    }
  | { readonly kind: 'expired' }

export interface FlowAdvance {
  readonly steps: readonly FlowStep[]
  readonly outcome: FlowOutcome
}
