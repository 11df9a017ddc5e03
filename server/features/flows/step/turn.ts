import type { CallFacts, CallResult, PreparedCall } from '#shared/flows/http.ts'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import type { FlowMedia } from '#shared/flows/nodes/message.ts'
import type { BuiltInValues, FlowVariables } from '#shared/flows/variables.ts'
import type { Work } from '#shared/kernel/work.ts'
import type { SentTemplate } from '#shared/outbound/api.ts'
import type { ShownOption } from './speech.ts'

/** Where a session stands between two inputs. */
export interface SessionPlace {
  readonly nodeId: string
  readonly variables: FlowVariables
  /** Answers to the question it stands at that did not fit. */
  readonly tries: number
  /** Inside which steps of which flows it is, the outermost first; absent: it is in the flow itself. */
  readonly inside?: readonly string[]
  /** Calls of services since something came in from outside. */
  readonly calls?: number
  /** What the customer wrote last that was read here; absent: nothing. */
  readonly said?: string
  /** It is about to be said there: the customer sees that somebody writes. */
  readonly isTyping?: true
  /** When the last file came in: those right behind it belong to it. */
  readonly fileAt?: string
  /** It has not been said there yet: WhatsApp's window was closed. */
  readonly isParked?: true
}

/** What a message holds that is no text: a file by its name or type, a place by its coordinates. */
export interface SharedThing {
  readonly kind: 'file' | 'location'
  readonly value: string
}

/** What comes from outside. `tapped`: which option of which node · `at`: when a file was sent. */
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

/** What leaves of a template, frozen as it is now, and how it looks. */
export interface ReadyFlowTemplate {
  readonly id: string
  readonly message: Record<string, unknown>
  readonly text: string
  readonly shown: SentTemplate
  /** A value was cut: with it whole, the text was too long. */
  readonly isCut?: boolean
}
/** Why a template cannot be sent. */
export type TemplateRefusal = 'templateGone' | 'templateNotApproved' | 'templateValues' | 'templateOfferOver'

/** What is true of the customer and the organization at the moment; tags change along with the steps. */
export interface FlowWorld {
  /** ISO 8601. */
  readonly now: string
  /** Of the conversation: random choices are the same at each visit. */
  readonly customerId: string
  readonly timeZone: string
  /** The organization attends. */
  readonly isOpen: boolean
  readonly builtIn: BuiltInValues
  readonly tagIds: readonly string[]
  readonly isWindowOpen: boolean
  /** Who does not answer for so long is out of the flow, where the node says nothing else; 0: after a month. */
  readonly expiresAfterHours: number
  /** What they are told then; null: nothing. */
  readonly expiredText: string | null
  /** What opens a list of options for which the flow names nothing. */
  readonly listLabel: string
  /** Tags that the organization has. */
  readonly knownTagIds: readonly string[]
  /** What the turn may cost; absent: what one may by itself. */
  readonly work?: Work | undefined
  /** A template with its values in place, to leave at `now` (ISO 8601). */
  fillTemplate(choice: TemplateChoice, now: string): ReadyFlowTemplate | TemplateRefusal
}

/** Something to be done outside, in the order of the steps. */
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
      /** What opens the list; null: they are buttons. */
      readonly listLabel: string | null
    }
  | { readonly kind: 'tag'; readonly action: 'add' | 'remove'; readonly tagId: string }
  | { readonly kind: 'contact'; readonly field: 'name' | 'note'; readonly value: string }
  | { readonly kind: 'archive' }
  | { readonly kind: 'call'; readonly call: PreparedCall }

/** Why a step went as it did, or why a session ended. */
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
  /** How a call went; absent: it made none. */
  readonly call?: CallFacts
}

/** `handedOff`: to whom it says, with a note for the team and words for the customer. */
export type FlowOutcome =
  | {
      readonly kind: 'waits'
      readonly for: 'answer' | 'time' | 'call' | 'window'
      readonly until: string
      readonly place: SessionPlace
    }
  | { readonly kind: 'finished' }
  | {
      readonly kind: 'handedOff'
      /** `asked`: a node says so. */
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

export interface FlowTurn {
  readonly steps: readonly FlowStep[]
  readonly outcome: FlowOutcome
}
