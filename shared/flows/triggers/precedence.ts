import { type ChosenTrigger, chooseFlow, type KeywordHits, type Occasion, type rankTriggers } from './triggers.ts'

/**
 * The possible answerers of a message, in order of precedence. `held`: a person has the conversation · `optWord`: the
 * product, to an opt-out or opt-in word · `personWord`: a person, requested by a word · `session`: the running flow ·
 * `flow`: a flow that starts · `closed`: the organization's answer outside business hours · `nobody`: it waits for a
 * person.
 */
export const answerers = ['held', 'optWord', 'personWord', 'session', 'flow', 'closed', 'nobody'] as const
type Answerer = (typeof answerers)[number]

/** The facts that decide besides triggers. */
export interface PrecedenceFacts {
  readonly isHeld: boolean
  readonly isOptWord: boolean
  readonly isPersonWord: boolean
  readonly isInFlow: boolean
  /** The organization has a text for messages outside business hours. */
  readonly saysClosed: boolean
}

/** The answerer that comes before any trigger is checked. */
export const goesFirst = ({
  isHeld,
  isOptWord,
  isPersonWord,
  isInFlow,
}: Omit<PrecedenceFacts, 'saysClosed'>):
  | Extract<Answerer, 'held' | 'optWord' | 'personWord' | 'session'>
  | undefined => {
  if (isHeld) return 'held'
  if (isOptWord) return 'optWord'
  if (isPersonWord) return 'personWord'
  return isInFlow ? 'session' : undefined
}

interface Answer {
  readonly by: Answerer
  readonly chosen: ChosenTrigger | null
}

/** The answerer of a message, and the flow that it starts. */
export function whoAnswers(
  ranked: ReturnType<typeof rankTriggers>,
  occasion: Occasion,
  { precedenceFacts, hits }: { readonly precedenceFacts: PrecedenceFacts; readonly hits: KeywordHits },
): Answer {
  const first = goesFirst(precedenceFacts)
  if (first) return { by: first, chosen: null }
  const chosen = chooseFlow(ranked, occasion, hits)
  const isClosed = precedenceFacts.saysClosed && !occasion.isOpen
  return { by: chosen ? 'flow' : isClosed ? 'closed' : 'nobody', chosen }
}
