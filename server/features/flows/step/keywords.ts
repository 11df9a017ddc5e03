import { buildWordMatcher, type WordMatcher } from '#server/platform/text/word-matcher.ts'
import { keywordLimits } from '#shared/flows/triggers/keyword-limits.ts'
import {
  type FlowTrigger,
  type KeywordHits,
  plainPattern,
  plainText,
  type Triggered,
} from '#shared/flows/triggers/triggers.ts'
import { parsePattern } from '#shared/kernel/pattern.ts'
import { createWork, TooMuchWork, type Work, workLimits } from '#shared/kernel/work.ts'

type KeywordTrigger = Extract<FlowTrigger, { kind: 'keyword' }>

/** The keywords of an organization's live flows as a matcher. */
export interface Keywords {
  readonly words: WordMatcher
  readonly triggersOf: readonly (readonly KeywordTrigger[])[]
  readonly patterns: readonly { readonly flowId: string; readonly trigger: KeywordTrigger; readonly source: string }[]
  /** Flows with keywords left out, because the organization has too many. */
  readonly beyond: readonly string[]
}

/** Built once per set of live flows. Yields now and then. */
export function* buildKeywords(flows: readonly Triggered[]): Generator<void, Keywords> {
  const byWord = new Map<string, KeywordTrigger[]>()
  const patterns: { flowId: string; trigger: KeywordTrigger; source: string }[] = []
  const beyond = new Set<string>()
  let chars = 0
  let words = 0
  for (const { flowId, triggers } of flows)
    for (const trigger of triggers) {
      if (trigger.kind !== 'keyword') continue
      if (words % 1000 > 950) yield
      for (const word of trigger.words) {
        if (trigger.match === 'pattern') {
          if (patterns.length < keywordLimits.patterns) patterns.push({ flowId, trigger, source: plainPattern(word) })
          else beyond.add(flowId)
          continue
        }
        words += 1
        chars += word.length
        if (words > keywordLimits.words || chars > keywordLimits.wordChars) {
          beyond.add(flowId)
          continue
        }
        const plain = plainText(word)
        const known = byWord.get(plain)
        if (known) known.push(trigger)
        else if (plain) byWord.set(plain, [trigger])
      }
    }
  return {
    words: yield* buildWordMatcher([...byWord.keys()]),
    triggersOf: [...byWord.values()],
    patterns,
    beyond: [...beyond],
  }
}

/** The triggers that a message matches. */
export interface ReadKeywords extends KeywordHits {
  /** Flows with a pattern that was not tried: the budget was used up, or the pattern is too large. */
  readonly unread: readonly string[]
}

/** Matches all keywords against a text. Yields before each pattern, because each may take some milliseconds. */
export function* readKeywords(
  { words, triggersOf, patterns, beyond }: Keywords,
  text: string,
  work: Work = createWork(workLimits.message),
): Generator<void, ReadKeywords> {
  const plain = plainText(text)
  const hits = new Set<FlowTrigger>()
  const unread = new Set(beyond)
  words.match(plain, (word, isAtStart) => {
    for (const trigger of triggersOf[word] ?? [])
      if (trigger.match === 'contains' || (isAtStart && trigger.match === 'startsWith')) hits.add(trigger)
  })
  for (const trigger of triggersOf[words.numberOf(plain) ?? -1] ?? []) if (trigger.match === 'equals') hits.add(trigger)
  for (const { flowId, trigger, source } of patterns) {
    if (hits.has(trigger)) continue
    yield
    const pattern = parsePattern(source)
    if (typeof pattern === 'string') {
      unread.add(flowId)
      continue
    }
    try {
      work.take(pattern.steps(plain))
    } catch (error) {
      if (!(error instanceof TooMuchWork)) throw error
      unread.add(flowId)
      continue
    }
    if (pattern.test(plain)) hits.add(trigger)
  }
  return { has: trigger => hits.has(trigger), unread: [...unread] }
}

/** Runs the generator to its end without yielding. */
export const runBlocking = <T>(steps: Generator<void, T>): T => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
