import type { AskedMessage, BotAnswers } from '#server/messaging/messages/inbound/asked-message.ts'
import { mayFollow } from '#server/messaging/messages/inbound/order.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { testCodeOf } from '#shared/flows/testing/tests.ts'
import { goesFirst, whoAnswers } from '#shared/flows/triggers/precedence.ts'
import { noKeywords, triggerLimits } from '#shared/flows/triggers/triggers.ts'
import { actionWords } from '#shared/inbox/message-actions.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'
import type { LiveFlow } from '../live-flow.ts'
import type { LiveFlows } from '../live-flows.ts'
import { flowSettingsOf } from '../settings.ts'
import { flowWordOf, flowWordsOf } from '../step/words.ts'
import { findLive, flowsBefore } from './session-store.ts'

/** The flow that a message continues or starts. */
interface Taken {
  readonly flowId: string
  readonly name: string
}

export interface IncomingJob {
  readonly asked: AskedMessage
  readonly starts: { flowId: string; triggerId: string } | null
  /** The draft that its author tests from this contact. */
  readonly testId?: string
  /** No flow continues or starts: the customer gets the answer outside business hours. */
  readonly isClosed?: true
}

export interface IncomingParts {
  readonly liveFlows: LiveFlows
  openingOf(orgId: string, db: Db): Promise<(at: string) => boolean>
  /** The texts among these that opt out of marketing or back in, which are answered separately. */
  optOutWordsIn(db: Db, orgId: string, texts: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns the last bulk send to each conversation since a time, if it is unanswered, and when it was sent. */
  unansweredOf(
    db: Db,
    orgId: string,
    conversationIds: readonly string[],
    since: string,
  ): Promise<ReadonlyMap<string, { sendId: string; at: string }>>
  /** The live flow started by a tap on our action button. It counts as started, so a second tap returns nothing. */
  takeFlowOfTap(write: OrgWrite, asked: AskedMessage, isLive: (flowId: string) => boolean): Promise<string | undefined>
  /** The test that a message starts; undefined if none. */
  findTest(db: Db, orgId: string, text: string): Promise<{ id: string; flowId: string; name: string } | undefined>
  tagIdsOf(db: Db, orgId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Records that some triggers of these flows were not checked because that would cost too much. */
  markLimited(write: OrgWrite, flowIds: readonly string[]): Promise<void>
  /** The messages of a contact are in order. */
  answer(write: OrgWrite, jobs: readonly IncomingJob[]): Promise<void>
}

const hourMs = 60 * 60 * 1000
const answerMs = triggerLimits.answerDays * 24 * hourMs

/**
 * The bulk send that a message answers. Of several messages at once only the first counts, because its contact is then
 * in a flow.
 */
const answersOf = ({ at }: AskedMessage, sent: { sendId: string; at: string } | undefined) =>
  sent && mayFollow(at, sent.at)
    ? { sendId: sent.sendId, hoursAgo: (Date.parse(at) - Date.parse(sent.at)) / hourMs }
    : undefined

/** Each action button of ours acts once; later taps, and those after its expiry, start nothing. */
const tapOf = ({ tappedId, action }: AskedMessage) => {
  if (!action) return { tappedId }
  return action.isFirst ? { tappedId, actions: actionWords(action) } : { tappedId: null }
}

/** Decides which of the messages just stored are answered by a flow. */
export function createIncoming(parts: IncomingParts) {
  const { liveFlows } = parts

  const uses = (live: readonly LiveFlow[], has: (trigger: LiveFlow['triggers'][number]) => unknown): boolean =>
    live.some(({ triggers }) => triggers.some(has))

  return async (write: OrgWrite, asked: readonly AskedMessage[]): Promise<BotAnswers> => {
    const { db, orgId } = write
    const taken = new Map<string, Taken>()
    const jobs: IncomingJob[] = []
    const answers: BotAnswers = { taken, follow: async () => void (jobs.length && (await parts.answer(write, jobs))) }
    if (!asked.length) return answers
    const contactIds = asked.map(({ contactId }) => contactId)
    const live = await liveFlows.list(db, orgId)
    const sessions = new Map((await findLive(db, orgId, contactIds)).map(session => [session.contactId, session]))
    const tests = new Map<string, Awaited<ReturnType<IncomingParts['findTest']>>>()
    for (const { text } of asked) if (testCodeOf(text)) tests.set(text, await parts.findTest(db, orgId, text))
    const settings = await flowSettingsOf(db, orgId)
    const { closedText } = settings
    const hasBot = asked.some(one => one.hasBot)
    if (!live.length && !sessions.size && !tests.size && !hasBot && closedText === null) return answers
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
    /** The budget for messages that were not read ahead. */
    const work = createWork(workLimits.message)
    const limited = new Set<string>()
    const texts = asked.flatMap(one => (one.isText ? [one.text] : []))
    const optOutWords = await parts.optOutWordsIn(db, orgId, texts)
    /** Contacts with an earlier message in this batch: the following ones belong to the same session. */
    const begun = new Map<string, Taken>()
    /** Conversations that get the answer outside business hours. */
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
      // The session reads the words that apply anywhere, too.
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
    return answers
  }
}
