import type { FlowInbox, FlowView } from '#server/features/flows/inbox.ts'
import { type Batch, openBatch, writeBatch } from '#server/features/flows/sessions/batch.ts'
import { createEndings, type EndingParts } from '#server/features/flows/sessions/endings.ts'
import { flowSettingsOf } from '#server/features/flows/settings.ts'
import type { FlowInput, SessionPlace } from '#server/features/flows/step/turn.ts'
import { flowWordsOf } from '#server/features/flows/step/words.ts'
import { findTest, type StoredTest } from '#server/features/flows/trials/test-store.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import type { CallResult, PreparedCall } from '#shared/flows/http.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import { broughtVariables } from '#shared/flows/uses.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'
import { readOptionId } from './options.ts'
import { readingOf } from './reading.ts'
import type { Said } from './said.ts'
import { findLive, insertSteps, type StoredSession, saveSession } from './session-store.ts'
import { spokenOf } from './spoken.ts'
import { createTurning, flowActor, plainTurnOf, type Turned, type TurningParts } from './turning.ts'

export interface EngineParts extends TurningParts, Pick<EndingParts, 'sayStopped' | 'sayTested' | 'setTimers'> {
  readonly ids: (at?: number) => string
  readonly inbox: FlowInbox
  /** Records that some of these flows' triggers were not checked because that would cost too much. */
  markLimited(write: OrgWrite, flowIds: readonly string[]): Promise<void>
  /** Queues the service call that a session waits for, after the commit. */
  addCall(write: OrgWrite, session: StoredSession, call: PreparedCall): Promise<void>
}

/** Data read in the same transaction and not changed since. */
interface Known {
  readonly view: FlowView
  readonly settings: FlowSettings
}

const nowhere: SessionPlace = { nodeId: '', variables: {}, tries: 0 }

const readingIn = ({ state, place }: StoredSession, said: Said, settings: FlowSettings) => {
  const isTimed = state !== 'waitingAnswer' && state !== 'parked'
  return readingOf({ isTimed, fileAt: place.fileAt }, said, flowWordsOf(settings))
}

const inputOf = ({ id }: StoredSession, { text, isText, tappedId, shared, at }: Said): FlowInput => {
  const tapped = tappedId === null ? null : readOptionId(tappedId, id)
  return { kind: 'message', text, isText, tapped, shared, at }
}

/**
 * Runs turns of sessions, each in the caller's transaction: messages are queued there, and steps, variables and the
 * wait are stored there. So a crash leaves all of a turn or nothing.
 */
export function createEngine(parts: EngineParts) {
  const { clock, ids, inbox, liveFlows } = parts
  const turnOf = createTurning(parts)
  const { actorOf, count, close, letGo, handOff } = createEndings(parts)

  const viewOf = async ({ db, orgId }: OrgWrite, conversationId: string, batch?: Batch) =>
    batch ? batch.views.get(conversationId) : (await inbox.read(db, orgId, [conversationId])).get(conversationId)

  /** Applies the effects of the steps in order. The outcome's archiving is done by the caller. */
  const perform = async (write: OrgWrite, session: StoredSession, { steps, by, at }: Turned): Promise<void> => {
    const { conversationId } = session
    const { speech, rows } = spokenOf(session, steps, { by, at })
    await inbox.send(write, [speech])
    if (steps.at(-1)?.effect?.kind === 'typing') await inbox.showTyping(write, conversationId)
    for (const { effect } of steps)
      if (effect?.kind === 'tag')
        await inbox.setTag(write, conversationId, { tagId: effect.tagId, isOn: effect.action === 'add' })
    for (const { effect } of steps)
      if (effect?.kind === 'contact')
        await inbox.setContact(write, conversationId, { field: effect.field, value: effect.value })
    for (const { effect } of steps)
      if (effect?.kind === 'template')
        await parts.templates.noteUse(write.db, write.orgId, effect.ready.id, { count: 1, at })
    await insertSteps(write.db, rows, { orgId: write.orgId })
  }

  /** Runs one turn. @throws any error of the turn; the caller then hands the conversation to a person */
  const move = async (
    write: OrgWrite,
    session: StoredSession,
    input: FlowInput,
    lastText: string,
    { known, batch }: { known?: Known | undefined; batch?: Batch | undefined } = {},
  ): Promise<void> => {
    const { db, orgId } = write
    const view = known?.view ?? (await viewOf(write, session.conversationId, batch))
    if (!view) return letGo(write, session, { state: 'stopped', reason: null })
    const settings = known?.settings ?? batch?.settings ?? (await flowSettingsOf(db, orgId))
    const steps = batch ? Math.max(workLimits.turnAtLeast, Math.min(workLimits.turn, batch.stepsLeft)) : workLimits.turn
    const work = createWork(steps)
    const turn = await turnOf(write, session, input, { view, settings, lastText, work })
    if (batch) batch.stepsLeft -= steps - work.left
    if (work.isOver && session.testId === null) await parts.markLimited(write, [session.flowId])
    if (turn === 'gone') return letGo(write, session, { state: 'stopped', reason: null })
    if (turn === 'testOver') return letGo(write, session, { state: 'stopped', reason: turn })
    const plain = batch && plainTurnOf(session, turn)
    if (plain) return void batch.plain.push(plain)
    await perform(write, session, turn)
    const { outcome, moved, waiting, by } = turn
    if (waiting) {
      await saveSession(db, orgId, waiting)
      const call = turn.steps.at(-1)?.effect
      if (call?.kind === 'call') await parts.addCall(write, waiting, call.call)
      return parts.setTimers(write, [{ session: waiting, before: session }])
    }
    switch (outcome.kind) {
      case 'handedOff':
        return handOff(write, moved, outcome)
      case 'expired':
        return letGo(write, moved, { state: 'expired', reason: null })
      case 'finished': {
        if (!turn.steps.some(({ effect }) => effect?.kind === 'archive'))
          return letGo(write, moved, { state: 'finished', reason: null })
        await close(write, moved, { state: 'finished', reason: null })
        return inbox.changeControl(write, session.conversationId, { cause: 'botEnded', by, isArchived: true })
      }
    }
  }

  /** Returns the new session's id; undefined if the flow is no longer live. */
  const begin = async (
    write: OrgWrite,
    {
      flowId,
      trigger,
      conversationId,
      contactId,
    }: { flowId: string; trigger: string; conversationId: string; contactId: string },
    {
      lastText = '',
      variables = {},
      test,
      fileAt,
      batch,
    }: {
      lastText?: string
      fileAt?: string | undefined
      variables?: SessionPlace['variables']
      test?: StoredTest | undefined
      batch?: Batch | undefined
    } = {},
  ): Promise<string | undefined> => {
    const { db, orgId } = write
    const published = test ? undefined : (await liveFlows.list(db, orgId)).find(one => one.flowId === flowId)
    const live = test ?? published
    if (!live) return undefined
    const { version = 0 } = published ?? {}
    const by = flowActor({ id: flowId, name: live.name })
    if (batch?.views.get(conversationId)?.control !== 'bot')
      await inbox.changeControl(write, conversationId, { cause: 'botWrote', by })
    const now = isoNow(clock)
    const session: StoredSession = {
      id: ids(clock.now().getTime()),
      flowId,
      version,
      contactId,
      conversationId,
      trigger,
      testId: test?.id ?? null,
      state: 'waitingTime',
      reason: null,
      place: { ...nowhere, variables, ...(fileAt === undefined ? {} : { fileAt }) },
      steps: 0,
      wakesAt: null,
      startedAt: now,
      movedAt: now,
      endedAt: null,
    }
    await saveSession(db, orgId, session)
    if (!test && batch) batch.begun.set(flowId, (batch.begun.get(flowId) ?? 0) + 1)
    else if (!test) await count(write, flowId, 'started')
    write.emit({ type: 'flow.started', data: { sessionId: session.id, flowId, conversationId } })
    await move(write, session, { kind: 'begin' }, lastText, { batch })
    return session.id
  }

  /** The variables that a program supplied when it started the session, with today's trigger. */
  const broughtAgain = async ({ db, orgId }: OrgWrite, session: StoredSession): Promise<SessionPlace['variables']> => {
    const live = (await liveFlows.list(db, orgId)).find(({ flowId }) => flowId === session.flowId)
    const names = broughtVariables(live?.triggers.filter(({ id }) => id === session.trigger) ?? [])
    return Object.fromEntries(Object.entries(session.place.variables).filter(([name]) => names.includes(name)))
  }

  const answer = async (
    write: OrgWrite,
    session: StoredSession,
    said: Said,
    { view, batch }: Pick<Known, 'view'> & { batch: Batch | undefined },
  ): Promise<void> => {
    const settings = batch?.settings ?? (await flowSettingsOf(write.db, write.orgId))
    const reading = readingIn(session, said, settings)
    const { flowId, trigger, conversationId, contactId, place } = session
    if (reading === 'leave') return letGo(write, session, { state: 'left', reason: null })
    if (reading === 'person')
      return handOff(write, session, { reason: 'wanted', teamId: null, memberId: null, note: null })
    if (reading === 'restart') {
      await close(write, session, { state: 'restarted', reason: null })
      const { testId } = session
      const test = testId === null ? undefined : await findTest(write.db, write.orgId, testId)
      const again = { lastText: said.text, test, variables: await broughtAgain(write, session) }
      const isThere = testId === null || test !== undefined
      if (isThere && (await begin(write, { flowId, trigger, conversationId, contactId }, again))) return
      return inbox.changeControl(write, conversationId, {
        cause: 'botEnded',
        by: await actorOf(write.db, write.orgId, session),
      })
    }
    if (reading === 'burst')
      return saveSession(write.db, write.orgId, { ...session, place: { ...place, fileAt: said.at } })
    if (reading === 'unread') return
    return move(write, session, inputOf(session, said), said.text, { known: { view, settings }, batch })
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
        said,
        starts,
      }: {
        conversationId: string
        contactId: string
        said: Said
        starts: { flowId: string; triggerId: string } | null
      },
      batch?: Batch,
    ): Promise<void> {
      const view = await viewOf(write, conversationId, batch)
      // Somebody else has the conversation by now.
      if (view?.control !== 'bot') return
      const session = batch ? batch.sessions.get(contactId) : (await findLive(write.db, write.orgId, [contactId]))[0]
      if (session?.conversationId === conversationId) return answer(write, session, said, { view, batch })
      const facts = { conversationId, contactId }
      const fileAt = said.shared?.kind === 'file' ? said.at : undefined
      if (
        !session &&
        starts &&
        (await begin(
          write,
          { ...facts, flowId: starts.flowId, trigger: starts.triggerId },
          { lastText: said.text, fileAt, batch },
        ))
      )
        return
      const by: EventActor = { kind: 'system', id: 'flows', name: null }
      await inbox.handOver(write, conversationId, { teamId: null, memberId: null, note: null, by })
    },
    /**
     * Answers a message in a running session, but only if the turn just sends messages and waits. Returns whether it
     * did; otherwise nothing is changed.
     */
    async tryAnswerInTransaction(
      write: OrgWrite,
      { conversationId, contactId, said }: { conversationId: string; contactId: string; said: Said },
      batch: Batch,
    ): Promise<boolean> {
      const { settings } = batch
      const view = batch.views.get(conversationId)
      const session = batch.sessions.get(contactId)
      if (view?.control !== 'bot' || session?.conversationId !== conversationId) return false
      if (readingIn(session, said, settings) !== 'answer') return false
      const work = createWork(Math.max(0, batch.stepsLeft))
      const turn = await turnOf(write, session, inputOf(session, said), { view, settings, lastText: said.text, work })
      batch.stepsLeft = work.left
      // In a commit of its own it may cost more.
      if (work.isOver) return false
      const plain = typeof turn === 'string' ? undefined : plainTurnOf(session, turn)
      if (plain) batch.plain.push(plain)
      return plain !== undefined
    },
    /** Continues a session whose wait has ended. */
    wake: (write: OrgWrite, session: StoredSession, batch?: Batch): Promise<void> =>
      move(write, session, { kind: 'time' }, session.place.said ?? '', { batch }),
    /**
     * Runs the turns of several contacts, one each, together: their data is read before the first and shared writes
     * come after the last. @throws the error of any turn; the caller must then undo all of them
     */
    async together(
      write: OrgWrite,
      of: readonly { readonly conversationId: string; readonly contactId: string }[],
      turns: (batch: Batch) => Promise<void>,
      steps: number = workLimits.batch,
    ): Promise<void> {
      const batch = await openBatch(write, of, { inbox, steps })
      await turns(batch)
      for (const [flowId, times] of batch.begun) await count(write, flowId, 'started', times)
      await writeBatch(write, batch, parts)
    },
    /** Continues a session with the result of its call. */
    hear: (write: OrgWrite, session: StoredSession, result: CallResult): Promise<void> =>
      move(write, session, { kind: 'call', result }, session.place.said ?? ''),
  }
}
export type Engine = ReturnType<typeof createEngine>
