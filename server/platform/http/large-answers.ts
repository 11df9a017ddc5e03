import { setImmediate as nextTurn } from 'node:timers/promises'
import { createLanes } from '#server/platform/work/lanes.ts'
import { callerId, type OrgCaller } from './actor.ts'
import { appErrors } from './errors.ts'

/** A page of statistics asks for several at once, and a person may have several pages open. */
const ofCaller = { atOnce: 1, maxWaiting: 60 }
const ofOrg = { atOnce: 2, maxWaiting: 300 }

export interface LargeAnswers {
  /** Runs `work` when caller and organization have a free place. @throws APP_TOO_MANY_REQUESTS if too many wait */
  make<T>(caller: OrgCaller, work: () => Promise<T>): Promise<T>
}

/**
 * Bounds how many large answers are made at once. Each takes some tens of megabytes and turns of the event loop, and a
 * caller may ask for any number of them in one moment.
 */
export function createLargeAnswers(): LargeAnswers {
  const callers = createLanes(ofCaller)
  const orgs = createLanes(ofOrg)
  return {
    async make(caller, work) {
      const { orgId } = caller
      const inNewTurn = async () => {
        await nextTurn()
        return work()
      }
      const answer = await callers.run(`${orgId} ${callerId(caller)}`, () => orgs.run(orgId, inNewTurn))
      if (answer === 'full') throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: 2 })
      return answer
    },
  }
}
