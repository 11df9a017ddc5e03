import type { OrgWrite } from '#server/platform/events/write.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import type { FlowInbox, FlowView } from '../inbox.ts'
import { readFlowSettings } from '../settings.ts'
import type { PlainAdvance } from './compute-advance.ts'
import type { TimerChange } from './jobs.ts'
import { findLive, insertSteps, type StoredSession, saveSessions } from './session-store.ts'

/** Several contacts whose sessions advance in one write, once each. Their data is read for all of them together. */
export interface Batch {
  /** The views by conversation id. */
  readonly views: ReadonlyMap<string, FlowView>
  /** Running sessions by contact id. */
  readonly sessions: ReadonlyMap<string, StoredSession>
  readonly settings: FlowSettings
  /** Advances written together at the end. */
  readonly plain: PlainAdvance[]
  /** The number of sessions started, by flow id. */
  readonly begun: Map<string, number>
  /** The work that the remaining advances may cost together, see `workLimits`. */
  workLeft: number
}

/** Reads the data that the sessions of these contacts need. */
export async function openBatch(
  { db, orgId }: OrgWrite,
  of: readonly { readonly conversationId: string; readonly contactId: string }[],
  { inbox, workBudget }: { readonly inbox: Pick<FlowInbox, 'read'>; readonly workBudget: number },
): Promise<Batch> {
  const live = await findLive(
    db,
    orgId,
    of.map(({ contactId }) => contactId),
  )
  return {
    views: await inbox.read(
      db,
      orgId,
      of.map(({ conversationId }) => conversationId),
    ),
    sessions: new Map(live.map(session => [session.contactId, session])),
    settings: await readFlowSettings(db, orgId),
    plain: [],
    begun: new Map(),
    workLeft: workBudget,
  }
}

interface BatchParts {
  readonly inbox: Pick<FlowInbox, 'send'>
  setTimers(write: OrgWrite, changed: readonly TimerChange[]): Promise<void>
}

/** Writes everything that a batch has collected. */
export async function writeBatch(write: OrgWrite, { plain }: Batch, parts: BatchParts): Promise<void> {
  const { db, orgId } = write
  await saveSessions(
    db,
    orgId,
    plain.map(({ waiting }) => waiting),
  )
  await parts.inbox.send(
    write,
    plain.map(({ sent }) => sent),
  )
  await insertSteps(
    db,
    plain.flatMap(({ rows }) => rows),
    { orgId },
  )
  await parts.setTimers(
    write,
    plain.map(({ waiting, before }) => ({ session: waiting, before })),
  )
}
