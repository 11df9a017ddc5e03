import type { Db } from '#server/platform/db/database.ts'
import { requireRowsLeft } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Flow, flowsApi } from '#shared/flows/api.ts'
import { keywordProblem, problemsOf } from '#shared/flows/problems/problems.ts'
import { addCounts, countKeywords, keywordLimitPassed } from '#shared/flows/triggers/keyword-limits.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from './errors.ts'
import { factsFor, readPatterns } from './facts.ts'
import { problemsRefusal } from './refusal.ts'
import type { FlowServiceParts } from './service-parts.ts'
import type { FlowChanged, ShownFlow } from './shown.ts'
import { type StoredFlow, setEnabled, setPublished } from './store.ts'
import { insertVersion, type StoredVersion } from './version-store.ts'

interface Flows {
  getFlow(db: Db, orgId: string, id: string): Promise<StoredFlow>
  getVersionRow(db: Db, orgId: string, id: string, version: number): Promise<StoredVersion>
  requireRevision(flow: StoredFlow, wanted: number): void
  change(
    caller: OrgCaller,
    id: string,
    work: (write: OrgWrite, flow: StoredFlow) => Promise<[FlowChanged, Partial<ShownFlow>] | undefined>,
  ): Promise<Flow>
}

/** Publishes, pauses and resumes flows. */
export function createPublishing(
  parts: FlowServiceParts,
  { getFlow, getVersionRow, requireRevision, change }: Flows,
): Pick<ServiceOf<typeof flowsApi, OrgCaller>, 'publish' | 'pause'> {
  const { databases, clock, liveFlows } = parts
  return {
    async publish(caller, { params, body }) {
      await readPatterns(await getFlow(databases.read, caller.orgId, params.id), databases.turn)
      return change(caller, params.id, async ({ db, orgId }, flow) => {
        if (body.revision !== undefined) requireRevision(flow, body.revision)
        const problems = problemsOf(flow, await factsFor(db, orgId, flow, parts)).filter(({ isError }) => isError)
        if (problems.length) throw problemsRefusal(problems)
        // An unchanged version is not published again, unless a note gives a reason.
        if (flow.version !== null && flow.revision === flow.publishedRevision && !body.note?.trim()) {
          if (flow.isEnabled) return undefined
          await setEnabled(db, orgId, flow.id, true)
          return ['resumed', { isEnabled: true }]
        }
        const version = (flow.version ?? 0) + 1
        const publishedAt = isoNow(clock)
        await requireRowsLeft(db, orgId, 'flow_version', flow.id)
        await insertVersion(db, orgId, flow.id, {
          version,
          name: flow.name,
          wireGraph: flow.wireGraph,
          wireTriggers: flow.wireTriggers,
          note: body.note?.trim() || null,
          publishedAt,
          by: caller.name,
        })
        await setPublished(db, orgId, { id: flow.id, version, revision: flow.revision })
        return [
          'published',
          { version, publishedAt, publishedRevision: flow.revision, isEnabled: true, limitedAt: null },
        ]
      })
    },

    pause: (caller, { params, body }) =>
      change(caller, params.id, async ({ db, orgId }, flow) => {
        if (flow.version === null) throw flowErrors.NOT_PUBLISHED()
        const { paused = true } = body
        if (flow.isEnabled !== paused) return undefined
        if (!paused) {
          const { triggers } = await getVersionRow(db, orgId, flow.id, flow.version)
          const live = (await liveFlows.list(db, orgId)).flatMap(one => one.triggers)
          const passed = keywordLimitPassed(addCounts(countKeywords(live), countKeywords(triggers)))
          if (passed) throw problemsRefusal([keywordProblem(passed)])
        }
        await setEnabled(db, orgId, flow.id, !paused)
        return [paused ? 'paused' : 'resumed', { isEnabled: !paused }]
      }),
  }
}
