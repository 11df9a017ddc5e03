import { flowWordOf, flowWordsOf } from '#server/features/flows/step/words.ts'
import type { Asked, BotsTurn } from '#server/messaging/people/control.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { goesFirst, whoAnswers } from '#shared/flows/precedence.ts'
import { testCodeOf } from '#shared/flows/tests.ts'
import { noKeywords, triggerLimits } from '#shared/flows/triggers.ts'
import { actionWords } from '#shared/inbox/message-actions.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'
import type { LiveFlow } from './live-flow.ts'
import type { LiveFlows } from './live-flows.ts'
import { findLive, flowsBefore } from './session-store.ts'
import { flowSettingsOf } from './settings.ts'

/** The flow that goes on or begins with a message. */
interface Taken {
  readonly flowId: string
  readonly name: string
}

export interface IncomingJob {
  readonly asked: Asked
  readonly starts: { flowId: string; triggerId: string } | null
  /** The draft that its author tries from here. */
  readonly testId?: string
  /** Nothing goes on or begins: it is answered what stands for out of hours. */
  readonly isClosed?: true
}

export interface IncomingParts {
  readonly liveFlows: LiveFlows
  openingOf(orgId: string, db: Db): Promise<(at: string) => boolean>
  /** Those of these by which customers opt out of marketing, or back in: that is answered by itself. */
  optOutWordsIn(db: Db, orgId: string, texts: readonly string[]): Promise<ReadonlySet<string>>
  /** The bulk send that each of these conversations had last since then and has not answered, and when that was. */
  unansweredOf(
    db: Db,
    orgId: string,
    conversationIds: readonly string[],
    since: string,
  ): Promise<ReadonlyMap<string, { sendId: string; at: string }>>
  /** The live flow that a tap on a button of ours begins, which is then ours to begin. */
  takeFlowOfTap(write: OrgWrite, asked: Asked, isLive: (flowId: string) => boolean): Promise<string | undefined>
  /** The test that a message begins; undefined: it is none of ours. */
  findTest(db: Db, orgId: string, text: string): Promise<{ id: string; flowId: string; name: string } | undefined>
  tagIdsOf(db: Db, orgId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Some of what these flows look for was not looked for, as it cost too much. */
  markLimited(write: OrgWrite, flowIds: readonly string[]): Promise<void>
  /** Messages of a contact one after another. */
  answer(write: OrgWrite, jobs: readonly IncomingJob[]): Promise<void>
}

const hourMs = 60 * 60 * 1000
const answerMs = triggerLimits.answerDays * 24 * hourMs

/** Of some that come at once the first alone answers: whoever it starts a flow for is in it then. */
const answersOf = ({ at }: Asked, sent: { sendId: string; at: string } | undefined) =>
  sent && sent.at < at ? { sendId: sent.sendId, hoursAgo: (Date.parse(at) - Date.parse(sent.at)) / hourMs } : undefined

/** A button of ours is tapped once; later taps, and those of one that expired, begin nothing. */
const tapOf = ({ tappedId, action }: Asked) => {
  if (!action) return { tappedId }
  return action.isFirst ? { tappedId, actions: actionWords(action) } : { tappedId: null }
}

/** Which of the messages that were just stored a flow answers. */
export function createIncoming(parts: IncomingParts) {
  const { liveFlows } = parts

  const uses = (live: readonly LiveFlow[], has: (trigger: LiveFlow['triggers'][number]) => unknown): boolean =>
    live.some(({ triggers }) => triggers.some(has))

  return async (write: OrgWrite, asked: readonly Asked[]): Promise<BotsTurn> => {
    const { db, orgId } = write
    const taken = new Map<string, Taken>()
    const jobs: IncomingJob[] = []
    const turn: BotsTurn = { taken, follow: async () => void (jobs.length && (await parts.answer(write, jobs))) }
    if (!asked.length) return turn
    const contactIds = asked.map(({ contactId }) => contactId)
    const live = await liveFlows.list(db, orgId)
    const sessions = new Map((await findLive(db, orgId, contactIds)).map(session => [session.contactId, session]))
    const tests = new Map<string, Awaited<ReturnType<IncomingParts['findTest']>>>()
    for (const { text } of asked) if (testCodeOf(text)) tests.set(text, await parts.findTest(db, orgId, text))
    const settings = await flowSettingsOf(db, orgId)
    const { closedText } = settings
    const hasBot = asked.some(one => one.hasBot)
    if (!live.length && !sessions.size && !tests.size && !hasBot && closedText === null) return turn
    const words = flowWordsOf(settings)
    const nothing: ReadonlyMap<string, readonly string[]> = new Map()
    const tags = uses(live, ({ tagId }) => tagId) ? await parts.tagIdsOf(db, orgId, contactIds) : nothing
    const before = uses(live, ({ oncePerContact }) => oncePerContact)
      ? await flowsBefore(db, orgId, contactIds)
      : nothing
    const sent = uses(live, ({ kind }) => kind === 'campaign')
      ? await parts.unansweredOf(
          db,
          orgId,
          asked.map(({ conversationId }) => conversationId),
          new Date(Math.min(...asked.map(({ at }) => Date.parse(at))) - answerMs).toISOString(),
        )
      : new Map<string, { sendId: string; at: string }>()
    const isOpen =
      closedText !== null || uses(live, ({ hours }) => hours) ? await parts.openingOf(orgId, db) : () => true

    const ranked = liveFlows.rankedOf(orgId, live)
    /** Of messages that were not read ahead. */
    const work = createWork(workLimits.message)
    const limited = new Set<string>()
    const texts = asked.flatMap(one => (one.isText ? [one.text] : []))
    const optOutWords = await parts.optOutWordsIn(db, orgId, texts)
    /** Contacts of whom an earlier message of these is taken: what follows is for the same session. */
    const begun = new Map<string, Taken>()
    /** Conversations that hear that nobody is there now. */
    const answered = new Set<string>()
    for (const one of asked) {
      const { contactId, conversationId, text, at, lastAt } = one
      const session = sessions.get(contactId)
      const take = (by: Taken, starts: IncomingJob['starts'], testId?: string) => {
        taken.set(one.messageId, by)
        begun.set(contactId, by)
        jobs.push({ asked: one, starts, ...(testId ? { testId } : {}) })
      }
      const test = tests.get(text)
      if (test) {
        take({ flowId: test.flowId, name: test.name }, null, test.id)
        continue
      }
      const standing = {
        isHeld: one.isHeld,
        isOptWord: one.isText && optOutWords.has(text),
        isPersonWord: one.isText && flowWordOf(text, words) === 'person',
        isInFlow: session !== undefined,
        saysClosed: closedText !== null,
      }
      const first = goesFirst(standing)
      if (first === 'held' || first === 'optWord') continue
      // Words that hold anywhere are the session's to read, too.
      if (session) {
        const name = live.find(({ flowId }) => flowId === session.flowId)?.name ?? ''
        if (session.conversationId === conversationId) take({ flowId: session.flowId, name }, null)
        continue
      }
      const wanted = await parts.takeFlowOfTap(write, one, id => live.some(({ flowId }) => flowId === id))
      const asksFor = live.find(({ flowId }) => flowId === wanted)
      if (asksFor && !begun.has(contactId)) {
        take({ flowId: asksFor.flowId, name: asksFor.name }, { flowId: asksFor.flowId, triggerId: 'tap' })
        continue
      }
      const hits = one.isText ? liveFlows.read(orgId, live, text, work) : undefined
      for (const id of hits?.unread ?? []) limited.add(id)
      const { by, chosen } = whoAnswers(
        ranked,
        {
          what: {
            kind: 'message',
            text: one.isText ? text : '',
            ...tapOf(one),
            ad: one.ad ?? undefined,
            answers: answersOf(one, sent.get(conversationId)),
          },
          isOpen: isOpen(at),
          isFirst: one.isFirst,
          wasArchived: one.wasArchived,
          silentHours: lastAt === null ? null : (Date.parse(at) - Date.parse(lastAt)) / hourMs,
          tagIds: tags.get(contactId) ?? [],
          flowsBefore: before.get(contactId) ?? [],
        },
        { standing, hits: hits ?? noKeywords },
      )
      const flow = chosen && live.find(({ flowId }) => flowId === chosen.flowId)
      const earlier = begun.get(contactId)
      if (chosen && flow) take(earlier ?? { flowId: flow.flowId, name: flow.name }, chosen)
      else if (earlier) take(earlier, null)
      else {
        if (one.hasBot) take({ flowId: '', name: '' }, null)
        const hearsClosed = by === 'closed' || (by === 'personWord' && closedText !== null && !isOpen(at))
        if (!hearsClosed || answered.has(conversationId)) continue
        answered.add(conversationId)
        jobs.push({ asked: one, starts: null, isClosed: true })
      }
    }
    if (limited.size) await parts.markLimited(write, [...limited])
    return turn
  }
}
