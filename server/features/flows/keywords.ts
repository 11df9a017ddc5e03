import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { rankTriggers } from '#shared/flows/triggers/triggers.ts'
import { createWork, type Work, workLimits } from '#shared/kernel/work.ts'
import type { LiveFlow } from './live-flow.ts'
import { buildKeywords, type Keywords, type ReadKeywords, readKeywords, runBlocking } from './step/keywords.ts'

interface Kept {
  /** Identifies the set of live versions. */
  readonly signature: string
  readonly ranked: ReturnType<typeof rankTriggers>
  keywords?: Keywords
  /** The results of texts read ahead, in order of use. */
  readonly read: Map<string, ReadKeywords>
}

/** Organizations whose keywords are cached, those of the most recent messages. */
const maxOrgs = 100
/** Results cached per organization: the texts of one slice of webhooks. */
const maxTexts = 256

const signatureOf = (live: readonly LiveFlow[]): string =>
  live.map(({ flowId, version }) => `${flowId} ${version}`).join('\n')

/** Runs the generator to its end and yields to the event loop in between. */
export const runYielding = async <T>(steps: Generator<void, T>, turn: LoopTurn): Promise<T> => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await turn.giveWay()
  }
}

/** The triggers of live flows as a matcher, built once per set of live versions; each text is matched once. */
export function createKeywords() {
  const kept = new Map<string, Kept>()

  const keptOf = (orgId: string, live: readonly LiveFlow[]): Kept => {
    const signature = signatureOf(live)
    const known = kept.get(orgId)
    kept.delete(orgId)
    const made = known?.signature === signature ? known : { signature, ranked: rankTriggers(live), read: new Map() }
    kept.set(orgId, made)
    if (kept.size > maxOrgs) kept.delete(kept.keys().next().value as string)
    return made
  }

  return {
    rankedOf: (orgId: string, live: readonly LiveFlow[]): Kept['ranked'] => keptOf(orgId, live).ranked,
    /**
     * Matches texts before the transaction that needs the results; undefined stands for an item without text. Stops
     * before a text that could exceed the slice's budget. Returns the number of items covered and the work it took.
     */
    async readAhead(
      orgId: string,
      live: readonly LiveFlow[],
      texts: readonly (string | undefined)[],
      turn: LoopTurn,
    ): Promise<{ items: number; steps: number }> {
      const own = keptOf(orgId, live)
      let steps = 0
      for (const [i, text] of texts.entries()) {
        if (!text) continue
        const known = own.read.get(text)
        if (!known && steps + workLimits.message > workLimits.slice) return { items: i, steps }
        own.keywords ??= await runYielding(buildKeywords(live), turn)
        const work = createWork(workLimits.message)
        const read = known ?? (await runYielding(readKeywords(own.keywords, text, work), turn))
        steps += workLimits.message - work.left
        // Moves the text to the end, because the oldest are evicted first.
        own.read.delete(text)
        own.read.set(text, read)
        if (own.read.size > maxTexts) own.read.delete(own.read.keys().next().value as string)
      }
      return { items: texts.length, steps }
    },
    /** The triggers that a text matches. `work`: the budget of all texts that were not read ahead. */
    read(orgId: string, live: readonly LiveFlow[], text: string, work: Work): ReadKeywords {
      const own = keptOf(orgId, live)
      const known = own.read.get(text)
      if (known) return known
      own.keywords ??= runBlocking(buildKeywords(live))
      return runBlocking(readKeywords(own.keywords, text, work))
    },
  }
}
