import type { OrgWrite } from '#server/platform/events/write.ts'
import type { PreparedCall } from '#shared/flows/http/http.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'
import type { FlowInbox, FlowView } from '../inbox.ts'
import { readFlowSettings } from '../settings.ts'
import type { FlowInput } from '../step/advance-types.ts'
import type { FlowTemplates } from '../templates.ts'
import type { Batch } from './batch.ts'
import { type Advanced, type ComputeAdvance, plainAdvance } from './compute-advance.ts'
import { applyEffects } from './effects.ts'
import type { Endings } from './endings.ts'
import type { TimerChange } from './jobs.ts'
import { type StoredSession, saveSession } from './session-store.ts'

export interface AdvanceParts {
  readonly inbox: Pick<FlowInbox, 'read' | 'send' | 'showTyping' | 'setTag' | 'setContact' | 'changeControl'>
  readonly templates: Pick<FlowTemplates, 'noteUse'>
  /** Records that some of these flows' triggers were not checked because that would cost too much. */
  markLimited(write: OrgWrite, flowIds: readonly string[]): Promise<void>
  /** Queues the service call that a session waits for, after the commit. */
  addCall(write: OrgWrite, session: StoredSession, call: PreparedCall): Promise<void>
  setTimers(write: OrgWrite, changed: readonly TimerChange[]): Promise<void>
}

/** Data read in the same transaction and not changed since. */
export interface Known {
  readonly view: FlowView
  readonly settings: FlowSettings
}

/** Reads the conversation of a session. Undefined: the flow may not write there any more. */
export const readView = async (
  inbox: Pick<FlowInbox, 'read'>,
  { db, orgId }: OrgWrite,
  conversationId: string,
  batch?: Batch,
): Promise<FlowView | undefined> =>
  batch ? batch.views.get(conversationId) : (await inbox.read(db, orgId, [conversationId])).get(conversationId)

/** The work that one advance may cost. In a batch: a share of the batch's rest. */
const workBudgetOf = (batch: Batch | undefined): number =>
  batch ? Math.max(workLimits.advanceAtLeast, Math.min(workLimits.advance, batch.workLeft)) : workLimits.advance

/** Stores what sessions do from an input until they wait or end. */
export function createAdvance(
  parts: AdvanceParts,
  compute: ComputeAdvance,
  { close, letGo, handOff }: Pick<Endings, 'close' | 'letGo' | 'handOff'>,
) {
  const { inbox } = parts

  const wait = async (write: OrgWrite, before: StoredSession, waiting: StoredSession, { steps }: Advanced) => {
    await saveSession(write.db, write.orgId, waiting)
    const call = steps.at(-1)?.effect
    if (call?.kind === 'call') await parts.addCall(write, waiting, call.call)
    return parts.setTimers(write, [{ session: waiting, before }])
  }

  const end = async (write: OrgWrite, { outcome, moved, steps, by }: Advanced) => {
    if (outcome.kind === 'handedOff') return handOff(write, moved, outcome)
    if (outcome.kind === 'expired') return letGo(write, moved, { state: 'expired', reason: null })
    if (!steps.some(({ effect }) => effect?.kind === 'archive'))
      return letGo(write, moved, { state: 'finished', reason: null })
    await close(write, moved, { state: 'finished', reason: null })
    return inbox.changeControl(write, moved.conversationId, { cause: 'botEnded', by, isArchived: true })
  }

  /**
   * Advances a session by one input.
   * @throws any error of a node; the caller then hands the conversation to a person
   */
  return async (
    write: OrgWrite,
    session: StoredSession,
    input: FlowInput,
    lastText: string,
    { known, batch }: { known?: Known | undefined; batch?: Batch | undefined } = {},
  ): Promise<void> => {
    const { db, orgId } = write
    const view = known?.view ?? (await readView(inbox, write, session.conversationId, batch))
    if (!view) return letGo(write, session, { state: 'stopped', reason: null })
    const settings = known?.settings ?? batch?.settings ?? (await readFlowSettings(db, orgId))
    const workBudget = workBudgetOf(batch)
    const work = createWork(workBudget)
    const advanced = await compute(write, session, input, { view, settings, lastText, work })
    if (batch) batch.workLeft -= workBudget - work.left
    if (work.isOver && session.testId === null) await parts.markLimited(write, [session.flowId])
    if (advanced === 'gone') return letGo(write, session, { state: 'stopped', reason: null })
    if (advanced === 'testOver') return letGo(write, session, { state: 'stopped', reason: advanced })
    const plain = batch && plainAdvance(session, advanced)
    if (plain) return void batch.plain.push(plain)
    await applyEffects(parts, write, session, advanced)
    return advanced.waiting ? wait(write, session, advanced.waiting, advanced) : end(write, advanced)
  }
}

export type Advance = ReturnType<typeof createAdvance>
