import type { Control } from '#server/messaging/events.ts'

/** The facts of a conversation that the control policy needs. */
interface Held {
  readonly control: Control
  /** Null: unassigned. */
  readonly assigneeId: string | null
}

/** The causes that may change who controls a conversation. */
export type ControlCause =
  /** `botTakes`: a flow continues or begins with this message. `group`: written in a group. */
  | { readonly kind: 'customerWrote'; readonly group: boolean; readonly botTakes: boolean }
  /** A member wrote, in the product or in the WhatsApp app of the number. */
  | { readonly kind: 'personWrote' | 'phoneWrote' }
  /** A program wrote with a key; or a flow wrote, which then controls the conversation. */
  | { readonly kind: 'programWrote' | 'botWrote' }
  /** A person takes it, releases it, or returns it to the state in which the customer waited. */
  | { readonly kind: 'taken' | 'released' | 'waitsAgain' }
  /** A flow hands over to a person, or ends. */
  | { readonly kind: 'handedOver' | 'botEnded' }
  /** Meta's agent answers, or handed the customer to the team. */
  | { readonly kind: 'agentAnswers' | 'agentLeft' }
  | { readonly kind: 'archived' }

/**
 * The control of a conversation after a cause. A bot never takes a conversation from a person or from a customer who
 * waits for one; only a person ends a wait. Imported history changes nothing. Meta decides when its agent answers: a
 * message in a normal webhook means that it no longer does.
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
      // Meta's agent stops when the business writes.
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

/** The control of two merged conversations: the more urgent of the two. */
export const moreUrgent = (a: Control, b: Control): Control => (byUrgency.indexOf(b) > byUrgency.indexOf(a) ? b : a)

/** A person answers the customer, or should. */
export const isPersons = (control: Control): boolean => control === 'human' || control === 'needsHuman'

/**
 * The control as the API shows it. `none` is shown as `bot`, because a bot, if there is one, answers the next message.
 */
export const shownControl = (control: Control): Exclude<Control, 'none'> => (control === 'none' ? 'bot' : control)
