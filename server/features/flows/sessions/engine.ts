import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { CallResult } from '#shared/flows/http/http.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'
import type { FlowInbox } from '../inbox.ts'
import { readFlowSettings } from '../settings.ts'
import type { FlowInput } from '../step/advance-types.ts'
import { flowWordsOf } from '../step/words.ts'
import { type Batch, openBatch, writeBatch } from './batch.ts'
import { type BeginParts, createBegin } from './begin.ts'
import { type ComputeAdvanceParts, createComputeAdvance, plainAdvance } from './compute-advance.ts'
import type { CustomerMessage } from './customer-message.ts'
import { createEndings, type EndingParts } from './endings.ts'
import { readOptionId } from './options.ts'
import { readingOf } from './received.ts'
import { findLive, type StoredSession, saveSession } from './session-store.ts'
import { type AdvanceParts, createAdvance, type Known, readView } from './store-advance.ts'

export interface EngineParts extends ComputeAdvanceParts, AdvanceParts, BeginParts, EndingParts {
  readonly inbox: FlowInbox
  readonly liveFlows: ComputeAdvanceParts['liveFlows']
  readonly templates: ComputeAdvanceParts['templates']
}

const readingIn = ({ state, place }: StoredSession, message: CustomerMessage, settings: FlowSettings) => {
  const isTimed = state !== 'waitingAnswer' && state !== 'parked'
  return readingOf({ isTimed, fileAt: place.fileAt }, message, flowWordsOf(settings))
}

const inputOf = ({ id }: StoredSession, { text, isText, tappedId, shared, at }: CustomerMessage): FlowInput => {
  const tapped = tappedId === null ? null : readOptionId(tappedId, id)
  return { kind: 'message', text, isText, tapped, shared, at }
}

/**
 * Advances sessions, each in the caller's transaction: messages are queued there, and steps, variables and the wait are
 * stored there. So a crash leaves all of an advance or nothing.
 */
export function createEngine(parts: EngineParts) {
  const { inbox } = parts
  const compute = createComputeAdvance(parts)
  const endings = createEndings(parts)
  const { actorOf, count, close, letGo, handOff } = endings
  const advance = createAdvance(parts, compute, endings)
  const { begin, restart } = createBegin(parts, advance, endings)

  /** Gives a message to the session that waits for it. */
  const answer = async (
    write: OrgWrite,
    session: StoredSession,
    message: CustomerMessage,
    { view, batch }: Pick<Known, 'view'> & { batch: Batch | undefined },
  ): Promise<void> => {
    const { db, orgId } = write
    const settings = batch?.settings ?? (await readFlowSettings(db, orgId))
    switch (readingIn(session, message, settings)) {
      case 'leave':
        return letGo(write, session, { state: 'left', reason: null })
      case 'person':
        return handOff(write, session, { reason: 'wanted', teamId: null, memberId: null, note: null })
      case 'restart': {
        if (await restart(write, session, message.text)) return
        const by = await actorOf(db, orgId, session)
        return inbox.changeControl(write, session.conversationId, { cause: 'botEnded', by })
      }
      case 'burst':
        return saveSession(db, orgId, { ...session, place: { ...session.place, fileAt: message.at } })
      case 'unread':
        return
      case 'answer':
        return advance(write, session, inputOf(session, message), message.text, { known: { view, settings }, batch })
    }
  }

  return {
    begin,
    letGo,
    handOff,
    close,
    /** Gives a message to the conversation's session, otherwise to the flow it starts. */
    async take(
      write: OrgWrite,
      {
        conversationId,
        contactId,
        message,
        starts,
      }: {
        conversationId: string
        contactId: string
        message: CustomerMessage
        starts: { flowId: string; triggerId: string } | null
      },
      batch?: Batch,
    ): Promise<void> {
      const view = await readView(inbox, write, conversationId, batch)
      // Somebody else has the conversation by now.
      if (view?.control !== 'bot') return
      const session = batch ? batch.sessions.get(contactId) : (await findLive(write.db, write.orgId, [contactId]))[0]
      if (session?.conversationId === conversationId) return answer(write, session, message, { view, batch })
      if (!session && starts) {
        const { flowId, triggerId: trigger } = starts
        const fileAt = message.shared?.kind === 'file' ? message.at : undefined
        const options = { lastText: message.text, fileAt, batch }
        if (await begin(write, { flowId, trigger, conversationId, contactId }, options)) return
      }
      const by: EventActor = { kind: 'system', id: 'flows', name: null }
      await inbox.handOver(write, conversationId, { teamId: null, memberId: null, note: null, by })
    },
    /**
     * Answers a message in a running session, but only if the session just sends messages and waits. Returns whether it
     * did; otherwise nothing is changed.
     */
    async tryAnswerInTransaction(
      write: OrgWrite,
      { conversationId, contactId, message }: { conversationId: string; contactId: string; message: CustomerMessage },
      batch: Batch,
    ): Promise<boolean> {
      const { settings } = batch
      const view = batch.views.get(conversationId)
      const session = batch.sessions.get(contactId)
      if (view?.control !== 'bot' || session?.conversationId !== conversationId) return false
      if (readingIn(session, message, settings) !== 'answer') return false
      const work = createWork(Math.max(0, batch.workLeft))
      const facts = { view, settings, lastText: message.text, work }
      const advanced = await compute(write, session, inputOf(session, message), facts)
      batch.workLeft = work.left
      // In a commit of its own it may cost more.
      if (work.isOver) return false
      const plain = typeof advanced === 'string' ? undefined : plainAdvance(session, advanced)
      if (plain) batch.plain.push(plain)
      return plain !== undefined
    },
    /** Continues a session whose wait has ended. */
    wake: (write: OrgWrite, session: StoredSession, batch?: Batch): Promise<void> =>
      advance(write, session, { kind: 'time' }, session.place.said ?? '', { batch }),
    /**
     * Advances the sessions of several contacts, each once, together: their data is read before the first and shared
     * writes come after the last. @throws the error of any of them; the caller must then undo all
     */
    async together(
      write: OrgWrite,
      of: readonly { readonly conversationId: string; readonly contactId: string }[],
      advanceAll: (batch: Batch) => Promise<void>,
      workBudget: number = workLimits.batch,
    ): Promise<void> {
      const batch = await openBatch(write, of, { inbox, workBudget })
      await advanceAll(batch)
      for (const [flowId, times] of batch.begun) await count(write, flowId, 'started', times)
      await writeBatch(write, batch, parts)
    },
    /** Continues a session with the result of its call. */
    hear: (write: OrgWrite, session: StoredSession, result: CallResult): Promise<void> =>
      advance(write, session, { kind: 'call', result }, session.place.said ?? ''),
  }
}
export type Engine = ReturnType<typeof createEngine>
