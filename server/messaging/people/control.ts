import type { Control } from '#server/messaging/events.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { TappedAction } from '#shared/inbox/message-actions.ts'

/** Who has a conversation, as far as the policy asks. */
export interface Held {
  readonly control: Control
  /** The person it is assigned to; null: nobody in particular. */
  readonly assigneeId: string | null
}

/** What may change who has a conversation. */
export type ControlCause =
  /** `botTakes`: a flow goes on or begins with this message. `group`: said in a group, not to us alone. */
  | { readonly kind: 'customerWrote'; readonly group: boolean; readonly botTakes: boolean }
  /** Somebody of ours wrote: in the product, or in the WhatsApp app of the number. */
  | { readonly kind: 'personWrote' | 'phoneWrote' }
  /** A program wrote with a key; or a flow did, which then has the conversation. */
  | { readonly kind: 'programWrote' | 'botWrote' }
  /** A person takes it, or gives it back to whoever comes next, or to the wait it was taken out of. */
  | { readonly kind: 'taken' | 'released' | 'waitsAgain' }
  /** A flow gives up, or ends: the customer needs a person, or nobody. */
  | { readonly kind: 'handedOver' | 'botEnded' }
  /** Meta's own agent answers; or it gave the customer to the team. */
  | { readonly kind: 'agentAnswers' | 'agentLeft' }
  | { readonly kind: 'archived' }

/** What a customer wrote to us alone just now, in a conversation that no person has; or the word for a test, in any. */
export interface Asked {
  readonly messageId: string
  readonly conversationId: string
  readonly contactId: string
  readonly text: string
  /** A text, or the title of what was tapped. */
  readonly isText: boolean
  /** What it holds that is no text, a file by its name or type, a place by its coordinates. Absent: neither. */
  readonly shared?: { readonly kind: 'file' | 'location'; readonly value: string } | undefined
  /** What was tapped; null: nothing was. */
  readonly tappedId: string | null
  /** What stands behind the button of ours that was tapped; absent: nothing does. */
  readonly action?: TappedAction | undefined
  /** The advertisement it came from, by Meta's id where that is known; null: none. */
  readonly ad: { readonly id: string | null } | null
  readonly at: string
  /** A flow has the conversation already. */
  readonly hasBot: boolean
  /** A person has it, or a customer waits for one. */
  readonly isHeld: boolean
  /** The contact never wrote in it before. */
  readonly isFirst: boolean
  readonly wasArchived: boolean
  /** When its last message was; null: there was none. */
  readonly lastAt: string | null
}

/** What flows do with messages that were just stored. */
export interface BotsTurn {
  /** By message, the flow that goes on or begins. */
  readonly taken: ReadonlyMap<string, { readonly flowId: string; readonly name: string }>
  /** Answers them, or adds what will: called once their conversations are as these messages leave them. */
  follow(): Promise<void>
}

/** Asked which of these messages a flow answers, in the transaction that stores them. */
export type Bots = (write: OrgWrite, asked: readonly Asked[]) => Promise<BotsTurn>

/**
 * Who has the conversation afterwards. `none`: nobody, and nobody is asked for. A bot never takes from a person, nor from
 * a customer who waits for one; only a person ends a wait. Brought along history changes nothing and is never asked about.
 * Meta decides by itself when its agent answers: what comes by the usual way again says that the agent does no longer.
 */
export function decideControl({ control, assigneeId }: Held, cause: ControlCause): Control {
  switch (cause.kind) {
    case 'customerWrote':
      if (cause.group || control === 'human' || control === 'needsHuman') return control
      if (cause.botTakes) return 'bot'
      return assigneeId === null ? 'needsHuman' : 'human'
    case 'personWrote':
    case 'phoneWrote':
    case 'taken':
      return 'human'
    case 'botWrote':
      return control === 'none' ? 'bot' : control
    case 'programWrote':
      // Meta's agent falls silent when the business writes.
      return control === 'metaAgent' ? 'none' : control
    case 'handedOver':
      if (control === 'human' || control === 'metaAgent') return control
      return assigneeId === null ? 'needsHuman' : 'human'
    case 'botEnded':
      return control === 'bot' ? 'none' : control
    case 'released':
    case 'archived':
      return 'none'
    case 'waitsAgain':
    case 'agentLeft':
      return 'needsHuman'
    case 'agentAnswers':
      return 'metaAgent'
  }
}

const byUrgency: readonly Control[] = ['none', 'bot', 'metaAgent', 'human', 'needsHuman']

/** Who has two conversations that became one: whichever needs more. */
export const moreUrgent = (a: Control, b: Control): Control => (byUrgency.indexOf(b) > byUrgency.indexOf(a) ? b : a)

/** As readers know it: that nobody has it is `bot` there, because the next word is a bot's, if there is one. */
export const shownControl = (control: Control): Exclude<Control, 'none'> => (control === 'none' ? 'bot' : control)
