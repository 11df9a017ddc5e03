import { setImmediate as nextTurn } from 'node:timers/promises'
import { createConcurrencyByKey } from '#server/platform/work/concurrency-by-key.ts'
import { callerId, type OrgCaller } from './actor.ts'
import { appErrors } from './errors.ts'

/** A page of statistics asks for several at once, and a person may have several pages open. */
const ofCaller = { atOnce: 1, maxWaiting: 60 }
const ofOrg = { atOnce: 2, maxWaiting: 300 }

interface LargeAnswer {
  readonly caller: OrgCaller
  /** Services do not wait for each other: one that waits for another server would hold back those that do not. */
  readonly service: string
  /** True if others get the same answer, so that it does not wait behind other answers of the caller. */
  readonly isShared: boolean
  /** Called when the turn of this answer comes: whether somebody still waits for it. Absent: always. */
  readonly isWanted?: () => boolean
}

export interface LargeAnswers {
  /** Runs `work` when caller and organization have a free place. @throws APP_TOO_MANY_REQUESTS if too many wait */
  make<T>(about: LargeAnswer, work: () => Promise<T>): Promise<T>
}

/** The keys of an organization are one caller, so that many keys get no more than a person does. */
const lineOf = ({ caller, isShared }: LargeAnswer) => {
  if (isShared) return 'shared'
  return caller.kind === 'key' ? 'keys' : callerId(caller)
}

/**
 * Bounds how many large answers are made at once. Each takes some tens of megabytes and turns of the event loop, and a
 * caller may ask for any number of them in one moment.
 */
export function createLargeAnswers(): LargeAnswers {
  const callers = createConcurrencyByKey(ofCaller)
  const orgs = createConcurrencyByKey(ofOrg)
  return {
    async make(about, work) {
      const org = `${about.caller.orgId} ${about.service}`
      const refused = () => appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: 2 })
      const inNewTurn = async () => {
        await nextTurn()
        // The client is gone, so nobody reads this refusal.
        if (about.isWanted && !about.isWanted()) throw refused()
        return work()
      }
      const answer = await callers.run(`${org} ${lineOf(about)}`, () => orgs.run(org, inNewTurn))
      if (answer === 'full') throw refused()
      return answer
    },
  }
}
