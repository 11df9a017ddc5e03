import type { Db } from '#server/platform/db/database.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { Flow } from '#shared/flows/api.ts'
import { readGraph, readTriggers } from '#shared/flows/exchange.ts'
import { isSameFlow } from '#shared/flows/same.ts'
import { flowErrors } from './errors.ts'
import type { FlowServiceParts } from './service-parts.ts'
import { type FlowChanged, present, type ShownFlow } from './shown.ts'
import { findFlow, type StoredFlow, saveDraft } from './store.ts'
import { findVersion } from './version-store.ts'
import { countWeek } from './week.ts'

type EditingParts = Pick<FlowServiceParts, 'clock' | 'writes' | 'hooks' | 'readTimeZone'>

/** Reads the flows of an organization, and changes their drafts. */
export function createEditing(parts: EditingParts) {
  const { clock, writes, hooks } = parts

  const getFlow = async (db: Db, orgId: string, id: string): Promise<StoredFlow> => {
    const flow = await findFlow(db, orgId, id)
    if (!flow) throw flowErrors.NOT_FOUND()
    return flow
  }

  const getVersionRow = async (db: Db, orgId: string, id: string, version: number) => {
    const found = await findVersion(db, orgId, id, version)
    if (!found) throw flowErrors.VERSION_NOT_FOUND()
    return found
  }

  const getVersion = async (db: Db, orgId: string, id: string, version: number) => {
    await getFlow(db, orgId, id)
    return getVersionRow(db, orgId, id, version)
  }

  const presentWhole = async (db: Db, orgId: string, flow: ShownFlow): Promise<Flow> => {
    const week = await countWeek(parts, db, orgId)
    return { ...present(flow, week.get(flow.id)), graph: flow.wireGraph }
  }

  /** @throws FLOWS_STALE if somebody has saved meanwhile. */
  const requireRevision = ({ revision, editorName }: StoredFlow, wanted: number) => {
    if (revision !== wanted) throw flowErrors.STALE({ fields: ['body.revision'], params: { name: editorName } })
  }

  const editorOf = (caller: OrgCaller) => ({ id: callerId(caller), name: caller.name, at: isoNow(clock) })

  /**
   * Changes a flow, emits the event and returns the new flow. `work` returns the kind of change; undefined: nothing
   * changed.
   */
  const change = (
    caller: OrgCaller,
    id: string,
    work: (write: OrgWrite, flow: StoredFlow) => Promise<[FlowChanged, Partial<ShownFlow>] | undefined>,
  ): Promise<Flow> =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const flow = await getFlow(write.db, write.orgId, id)
      const [done, changed] = (await work(write, flow)) ?? []
      const after = { ...flow, ...changed }
      const { name, revision } = after
      if (done) write.emit({ type: 'flow.changed', data: { flowId: id, name, change: done, revision } })
      return presentWhole(write.db, write.orgId, after)
    })

  /** Saves the draft as the next revision and returns the changed fields. */
  const saveNextRevision = async (
    write: OrgWrite,
    caller: OrgCaller,
    { id, version, ...flow }: StoredFlow,
    drawn: Pick<ShownFlow, 'name' | 'wireGraph' | 'wireTriggers'>,
  ): Promise<Partial<ShownFlow>> => {
    const editor = editorOf(caller)
    const revision = flow.revision + 1
    const published = version === null ? undefined : await findVersion(write.db, write.orgId, id, version)
    const draft = { graph: readGraph(drawn.wireGraph), triggers: readTriggers(drawn.wireTriggers) }
    const publishedRevision = published && isSameFlow(published, draft) ? revision : flow.publishedRevision
    await saveDraft(write.db, write.orgId, { ...drawn, id, revision, publishedRevision }, editor)
    await hooks.ensure(write, id, drawn.wireTriggers, caller.name)
    return { ...drawn, revision, publishedRevision, editedAt: editor.at, editorName: editor.name }
  }

  return { getFlow, getVersionRow, getVersion, presentWhole, requireRevision, editorOf, change, saveNextRevision }
}

export type Editing = ReturnType<typeof createEditing>
