import type { Db } from '#server/platform/db/database.ts'
import { calledBy, ownVariables } from '#shared/flows/uses.ts'
import { createKeywords } from './keywords.ts'
import type { LiveFlow } from './live-flow.ts'
import { listLive } from './store.ts'
import { findTest } from './trials/test-store.ts'
import { findVersion, type StoredVersion } from './version-store.ts'

/** A graph with its name, published or not. */
export interface Drawn
  extends Pick<StoredVersion, 'name' | 'graph' | 'wireGraph'>,
    Partial<Pick<StoredVersion, 'triggers' | 'wireTriggers'>> {
  /** The test of a draft ends at this time; absent: it is no test. */
  readonly endsAt?: string
}

const maxKept = 2000

/** A version with the flows that it calls and its variables, which are computed once. */
type KeptVersion = StoredVersion & Pick<LiveFlow, 'calls' | 'variables'>

/** Caches published versions. They never change, so each is read and parsed once. */
export function createLiveFlows() {
  const kept = new Map<string, KeptVersion>()

  /** Undefined: there is no such version. */
  const findVersionCached = async (
    db: Db,
    orgId: string,
    flowId: string,
    version: number,
  ): Promise<KeptVersion | undefined> => {
    const key = `${orgId} ${flowId} ${version}`
    const known = kept.get(key)
    if (known) return known
    const found = await findVersion(db, orgId, flowId, version)
    if (!found) return undefined
    if (kept.size >= maxKept) kept.clear()
    const whole = { ...found, calls: calledBy(found.graph), variables: ownVariables(found.graph) }
    kept.set(key, whole)
    return whole
  }

  /** The graph that a session runs: a published version, or the draft under test. */
  const findDrawn = async (
    db: Db,
    orgId: string,
    { flowId, version, testId }: { flowId: string; version: number; testId: string | null },
  ): Promise<Drawn | undefined> =>
    testId === null ? findVersionCached(db, orgId, flowId, version) : findTest(db, orgId, testId)

  return {
    findVersionCached,
    findDrawn,
    ...createKeywords(),
    /** The live flows in the organization's order. */
    async list(db: Db, orgId: string): Promise<LiveFlow[]> {
      const live: LiveFlow[] = []
      for (const { id, name, version } of await listLive(db, { orgId })) {
        const published = version === null ? undefined : await findVersionCached(db, orgId, id, version)
        if (!published) continue
        const { version: number, triggers, wireTriggers, calls, variables } = published
        live.push({ flowId: id, name, version: number, triggers, wireTriggers, calls, variables })
      }
      return live
    },
  }
}
export type LiveFlows = ReturnType<typeof createLiveFlows>
