import {
  allAtOnce,
  buildKeywords,
  type Keywords,
  type ReadKeywords,
  readKeywords,
} from '#server/features/flows/step/keywords.ts'
import type { LoopTurn } from '#server/platform/work/loop-turn.ts'
import { rankTriggers } from '#shared/flows/triggers.ts'
import { createWork, type Work, workLimits } from '#shared/kernel/work.ts'
import type { LiveFlow } from './live-flow.ts'

interface Kept {
  /** Which versions are live. */
  readonly signature: string
  readonly ranked: ReturnType<typeof rankTriggers>
  keywords?: Keywords
  /** What texts come to that were read ahead; in their order. */
  readonly read: Map<string, ReadKeywords>
}

/** Organizations whose keywords are kept ready, those of the last messages. */
const mostOrgs = 100
/** Texts of one organization that are read ahead: those of a slice of webhooks. */
const mostTexts = 256

const signatureOf = (live: readonly LiveFlow[]): string =>
  live.map(({ flowId, version }) => `${flowId} ${version}`).join('\n')

/** Runs to the end, with turns for others in between. */
export const givingWay = async <T>(steps: Generator<void, T>, turn: LoopTurn): Promise<T> => {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await turn.giveWay()
  }
}

/** The triggers of live flows, ready to be asked. Built once for what is live, each text read once. */
export function createKeywords() {
  const kept = new Map<string, Kept>()

  const keptOf = (orgId: string, live: readonly LiveFlow[]): Kept => {
    const signature = signatureOf(live)
    const known = kept.get(orgId)
    kept.delete(orgId)
    const made = known?.signature === signature ? known : { signature, ranked: rankTriggers(live), read: new Map() }
    kept.set(orgId, made)
    if (kept.size > mostOrgs) kept.delete(kept.keys().next().value as string)
    return made
  }

  return {
    rankedOf: (orgId: string, live: readonly LiveFlow[]): Kept['ranked'] => keptOf(orgId, live).ranked,
    /**
     * Reads texts before the transaction that asks for what they come to; undefined stands for an item without one. Stops
     * before a text whose budget the slice could not pay whole. Answers how many it got to, and the steps that took.
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
        own.keywords ??= await givingWay(buildKeywords(live), turn)
        const work = createWork(workLimits.message)
        const read = known ?? (await givingWay(readKeywords(own.keywords, text, work), turn))
        steps += workLimits.message - work.left
        // The last ones asked for stay longest.
        own.read.delete(text)
        own.read.set(text, read)
        if (own.read.size > mostTexts) own.read.delete(own.read.keys().next().value as string)
      }
      return { items: texts.length, steps }
    },
    /** What a text comes to. `work`: of all that were not read ahead. */
    read(orgId: string, live: readonly LiveFlow[], text: string, work: Work): ReadKeywords {
      const own = keptOf(orgId, live)
      const known = own.read.get(text)
      if (known) return known
      own.keywords ??= allAtOnce(buildKeywords(live))
      return allAtOnce(readKeywords(own.keywords, text, work))
    },
  }
}
