import { type ChosenTrigger, chooseFlow, type KeywordHits, type Occasion, type rankTriggers } from './triggers.ts'

/**
 * Who answers a message, in the order in which it is looked at. `held`: a person has the chat · `optWord`: the product, to a
 * word by which customers opt out of marketing or back in · `personWord`: a person, whom they ask for by a word ·
 * `session`: the flow they are in · `flow`: one that begins · `closed`: what the organization says out of hours ·
 * `nobody`: it waits for a person.
 */
export const answerers = ['held', 'optWord', 'personWord', 'session', 'flow', 'closed', 'nobody'] as const
export type Answerer = (typeof answerers)[number]

/** What decides beside triggers. */
export interface Standing {
  readonly isHeld: boolean
  readonly isOptWord: boolean
  readonly isPersonWord: boolean
  readonly isInFlow: boolean
  /** The organization has words for who writes out of hours. */
  readonly saysClosed: boolean
}

/** Who has it before any trigger is asked. */
export const goesFirst = ({
  isHeld,
  isOptWord,
  isPersonWord,
  isInFlow,
}: Omit<Standing, 'saysClosed'>): Extract<Answerer, 'held' | 'optWord' | 'personWord' | 'session'> | undefined => {
  if (isHeld) return 'held'
  if (isOptWord) return 'optWord'
  if (isPersonWord) return 'personWord'
  return isInFlow ? 'session' : undefined
}

export interface Answer {
  readonly by: Answerer
  readonly chosen: ChosenTrigger | null
}

/** Who answers a message, and which flow begins with it. */
export function whoAnswers(
  ranked: ReturnType<typeof rankTriggers>,
  occasion: Occasion,
  { standing, hits }: { readonly standing: Standing; readonly hits: KeywordHits },
): Answer {
  const first = goesFirst(standing)
  if (first) return { by: first, chosen: null }
  const chosen = chooseFlow(ranked, occasion, hits)
  const isClosed = standing.saysClosed && !occasion.isOpen
  return { by: chosen ? 'flow' : isClosed ? 'closed' : 'nobody', chosen }
}
