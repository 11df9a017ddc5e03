import { isUnlimited, type ScopeOwner, scopeBy, sees } from '#server/identity/visibility/scope.ts'
import type { Scopes } from '#server/identity/visibility/scopes.ts'
import { isMeant } from './audience.ts'
import type { Frame } from './frame.ts'
import type { Watcher } from './watcher-store.ts'

type Who = Pick<Watcher, 'userId' | 'role' | 'creatorId'>

/** Decides which frames a reader gets. */
export interface Sight {
  has(frame: Frame, who: Who): boolean
  /** True: readers for whom this is true get the same bytes. */
  isCommon(who: Who): boolean
}

const lookerOf = ({ role, userId, creatorId = userId }: Who): ScopeOwner => ({ role, personId: creatorId })

/** Checks who sees the conversations of these frames now, not when the events happened. */
export async function readSight(
  scopes: Pick<Scopes, 'readLimits' | 'readFacts'>,
  orgId: string,
  frames: readonly Frame[],
): Promise<Sight> {
  const isPersonal = frames.some(frame => frame.audience)
  const isFor = (frame: Frame, who: Who) => isMeant(frame.audience, who)
  const ids = [...new Set(frames.flatMap(({ conversationId }) => (conversationId === null ? [] : [conversationId])))]
  const limits = ids.length ? await scopes.readLimits(orgId) : null
  if (!limits) return { has: isFor, isCommon: () => !isPersonal }
  const facts = await scopes.readFacts(orgId, ids)
  return {
    has: (frame, who) =>
      isFor(frame, who) &&
      (frame.conversationId === null || sees(scopeBy(limits, lookerOf(who)), facts.get(frame.conversationId))),
    isCommon: ({ role }) => !isPersonal && isUnlimited(role),
  }
}
