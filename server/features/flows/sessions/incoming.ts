import type { AskedMessage, BotAnswers } from '#server/messaging/messages/inbound/asked-message.ts'
import { mayFollow } from '#server/messaging/messages/inbound/order.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import { testCodeOf } from '#shared/flows/testing/tests.ts'
import { goesFirst, type PrecedenceFacts, whoAnswers } from '#shared/flows/triggers/precedence.ts'
import { noKeywords, type Occasion, triggerLimits } from '#shared/flows/triggers/triggers.ts'
import { actionWords } from '#shared/inbox/message-actions.ts'
import { createWork, workLimits } from '#shared/kernel/work.ts'
import type { LiveFlow } from '../live-flow.ts'
import type { LiveFlows } from '../live-flows.ts'
import { readFlowSettings } from '../settings.ts'
import { flowWordOf, flowWordsOf } from '../step/words.ts'
import { findLive, flowsBefore, type StoredSession } from './session-store.ts'

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
  readOpening(orgId: string, db: Db): Promise<(at: string) => boolean>
  /** The texts among these that opt out of marketing or back in, which are answered separately. */
  optOutWordsIn(db: Db, orgId: string, texts: readonly string[]): Promise<ReadonlySet<string>>
  /** Returns the last bulk send to each conversation since a time, if it is unanswered, and when it was sent. */
  findUnanswered(
    db: Db,
    orgId: string,
    conversationIds: readonly string[],
    since: string,
  ): Promise<ReadonlyMap<string, { sendId: string; at: string }>>
  /** The live flow started by a tap on our action button. It counts as started, so a second tap returns nothing. */
  takeFlowOfTap(write: OrgWrite, asked: AskedMessage, isLive: (flowId: string) => boolean): Promise<string | undefined>
  /** The test that a message starts; undefined if none. */
  findTest(db: Db, orgId: string, text: string): Promise<{ id: string; flowId: string; name: string } | undefined>
  listTagIds(db: Db, orgId: string, contactIds: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Records that some triggers of these flows were not checked because that would cost too much. */
  markLimited(write: OrgWrite, flowIds: readonly string[]): Promise<void>
  /** The messages of a contact are in order. */
  answer(write: OrgWrite, jobs: readonly IncomingJob[]): Promise<void>
}

const hourMs = 60 * 60 * 1000
const answerMs = triggerLimits.answerDays * 24 * hourMs

/** The bulk send that a conversation got last and has not answered. */
interface UnansweredSend {
  readonly sendId: string
  readonly at: string
}

/**
 * The bulk send that a message answers. Of several messages at once only the first counts, because its contact is then
 * in a flow.
 */
const answersOf = ({ at }: AskedMessage, sent: UnansweredSend | undefined) =>
  sent && mayFollow(at, sent.at)
    ? { sendId: sent.sendId, hoursAgo: (Date.parse(at) - Date.parse(sent.at)) / hourMs }
    : undefined

/** Each action button of ours acts once; later taps, and those after its expiry, start nothing. */
const tapOf = ({ tappedId, action }: AskedMessage) => {
  if (!action) return { tappedId }
  return action.isFirst ? { tappedId, actions: actionWords(action) } : { tappedId: null }
}

const uses = (live: readonly LiveFlow[], has: (trigger: LiveFlow['triggers'][number]) => unknown): boolean =>
  live.some(({ triggers }) => triggers.some(has))

type FoundTest = NonNullable<Awaited<ReturnType<IncomingParts['findTest']>>>

/** Everything that could answer: published flows, running sessions, tests, and the text outside business hours. */
interface Candidates {
  readonly live: readonly LiveFlow[]
  /** Running sessions by contact id. */
  readonly sessions: ReadonlyMap<string, StoredSession>
  /** The test that a text starts. */
  readonly tests: ReadonlyMap<string, FoundTest>
  readonly settings: FlowSettings
}

async function readCandidates(
  { liveFlows, findTest }: IncomingParts,
  { db, orgId }: OrgWrite,
  asked: readonly AskedMessage[],
): Promise<Candidates> {
  const contactIds = asked.map(({ contactId }) => contactId)
  const live = await liveFlows.list(db, orgId)
  const sessions = new Map((await findLive(db, orgId, contactIds)).map(session => [session.contactId, session]))
  const tests = new Map<string, FoundTest>()
  for (const { text } of asked) {
    const test = testCodeOf(text) ? await findTest(db, orgId, text) : undefined
    if (test) tests.set(text, test)
  }
  return { live, sessions, tests, settings: await readFlowSettings(db, orgId) }
}

/** False: no message can get an answer, so the facts below are not read. */
const mayAnswer = ({ live, sessions, tests, settings }: Candidates, asked: readonly AskedMessage[]): boolean =>
  live.length > 0 ||
  sessions.size > 0 ||
  tests.size > 0 ||
  settings.closedText !== null ||
  asked.some(({ hasBot }) => hasBot)

/** The facts that triggers compare with a message. Facts that no trigger of the organization uses are left empty. */
interface OccasionFacts {
  readonly tags: ReadonlyMap<string, readonly string[]>
  readonly flowsBefore: ReadonlyMap<string, readonly string[]>
  readonly sends: ReadonlyMap<string, UnansweredSend>
  readonly isOpen: (at: string) => boolean
  readonly optOutWords: ReadonlySet<string>
}

async function readOccasionFacts(
  parts: IncomingParts,
  { db, orgId }: OrgWrite,
  asked: readonly AskedMessage[],
  { live, settings }: Candidates,
): Promise<OccasionFacts> {
  const contactIds = asked.map(({ contactId }) => contactId)
  const conversationIds = asked.map(({ conversationId }) => conversationId)
  const earliest = Math.min(...asked.map(({ at }) => Date.parse(at)))
  const since = new Date(earliest - answerMs).toISOString()
  const needsHours = settings.closedText !== null || uses(live, ({ hours }) => hours)
  const texts = asked.flatMap(one => (one.isText ? [one.text] : []))
  return {
    tags: uses(live, ({ tagId }) => tagId) ? await parts.listTagIds(db, orgId, contactIds) : new Map(),
    flowsBefore: uses(live, ({ oncePerContact }) => oncePerContact)
      ? await flowsBefore(db, orgId, contactIds)
      : new Map(),
    sends: uses(live, ({ kind }) => kind === 'campaign')
      ? await parts.findUnanswered(db, orgId, conversationIds, since)
      : new Map(),
    isOpen: needsHours ? await parts.readOpening(orgId, db) : () => true,
    optOutWords: await parts.optOutWordsIn(db, orgId, texts),
  }
}

/** The message and its circumstances, as triggers compare them. */
const occasionOf = (one: AskedMessage, { tags, flowsBefore, sends, isOpen }: OccasionFacts): Occasion => ({
  what: {
    kind: 'message',
    text: one.isText ? one.text : '',
    ...tapOf(one),
    ad: one.ad ?? undefined,
    answers: answersOf(one, sends.get(one.conversationId)),
  },
  isOpen: isOpen(one.at),
  isFirst: one.isFirst,
  wasArchived: one.wasArchived,
  silentHours: one.lastAt === null ? null : (Date.parse(one.at) - Date.parse(one.lastAt)) / hourMs,
  tagIds: tags.get(one.contactId) ?? [],
  flowsBefore: flowsBefore.get(one.contactId) ?? [],
})

/** Decides for each message, in order, which flow answers it. One instance decides for messages stored together. */
function createDeciding(
  parts: IncomingParts,
  write: OrgWrite,
  { live, sessions, tests, settings }: Candidates,
  facts: OccasionFacts,
) {
  const { liveFlows } = parts
  const { orgId } = write
  const ranked = liveFlows.rankedOf(orgId, live)
  const words = flowWordsOf(settings)
  const saysClosed = settings.closedText !== null
  const taken = new Map<string, Taken>()
  const jobs: IncomingJob[] = []
  /** Flows of which some triggers were not checked. */
  const limited = new Set<string>()
  /** The budget for messages that were not read ahead. */
  const work = createWork(workLimits.message)
  /** Contacts with an earlier message in this batch: the following ones belong to the same session. */
  const begun = new Map<string, Taken>()
  /** Conversations that get the answer outside business hours. */
  const answered = new Set<string>()

  const take = (one: AskedMessage, by: Taken, starts: IncomingJob['starts'], testId?: string) => {
    taken.set(one.messageId, by)
    begun.set(one.contactId, by)
    jobs.push({ asked: one, starts, ...(testId ? { testId } : {}) })
  }

  const precedenceOf = (one: AskedMessage): PrecedenceFacts => ({
    isHeld: one.isHeld,
    isOptWord: one.isText && facts.optOutWords.has(one.text),
    isPersonWord: one.isText && flowWordOf(one.text, words) === 'person',
    isInFlow: sessions.has(one.contactId),
    saysClosed,
  })

  /** Continues the session of a contact, which reads the words that apply anywhere, too. */
  const continueSession = (one: AskedMessage, session: StoredSession) => {
    const name = live.find(({ flowId }) => flowId === session.flowId)?.name ?? ''
    if (session.conversationId === one.conversationId) take(one, { flowId: session.flowId, name }, null)
  }

  /** Starts the flow that a tap on our action button asks for. Returns whether there is one. */
  const startByTap = async (one: AskedMessage): Promise<boolean> => {
    const wanted = await parts.takeFlowOfTap(write, one, id => live.some(({ flowId }) => flowId === id))
    const flow = live.find(({ flowId }) => flowId === wanted)
    if (!flow || begun.has(one.contactId)) return false
    take(one, { flowId: flow.flowId, name: flow.name }, { flowId: flow.flowId, triggerId: 'tap' })
    return true
  }

  const answerClosed = (one: AskedMessage) => {
    if (answered.has(one.conversationId)) return
    answered.add(one.conversationId)
    jobs.push({ asked: one, starts: null, isClosed: true })
  }

  /** Starts the flow whose trigger fits best; if none does, says that the organization is closed, if it is. */
  const startByTrigger = (one: AskedMessage, precedenceFacts: PrecedenceFacts) => {
    const hits = one.isText ? liveFlows.read(orgId, live, one.text, work) : undefined
    for (const id of hits?.unread ?? []) limited.add(id)
    const { by, chosen } = whoAnswers(ranked, occasionOf(one, facts), { precedenceFacts, hits: hits ?? noKeywords })
    const flow = chosen && live.find(({ flowId }) => flowId === chosen.flowId)
    const earlier = begun.get(one.contactId)
    if (chosen && flow) return take(one, earlier ?? { flowId: flow.flowId, name: flow.name }, chosen)
    if (earlier) return take(one, earlier, null)
    if (one.hasBot) take(one, { flowId: '', name: '' }, null)
    if (by === 'closed' || (by === 'personWord' && saysClosed && !facts.isOpen(one.at))) answerClosed(one)
  }

  return {
    taken,
    jobs,
    limited,
    async decide(one: AskedMessage): Promise<void> {
      const test = tests.get(one.text)
      if (test) return take(one, { flowId: test.flowId, name: test.name }, null, test.id)
      const precedenceFacts = precedenceOf(one)
      const first = goesFirst(precedenceFacts)
      if (first === 'held' || first === 'optWord') return
      const session = sessions.get(one.contactId)
      if (session) return continueSession(one, session)
      if (!(await startByTap(one))) startByTrigger(one, precedenceFacts)
    },
  }
}

/** Decides which of the messages just stored are answered by a flow. */
export const createIncoming =
  (parts: IncomingParts) =>
  async (write: OrgWrite, asked: readonly AskedMessage[]): Promise<BotAnswers> => {
    const nobodyAnswers: BotAnswers = { taken: new Map(), follow: async () => undefined }
    if (!asked.length) return nobodyAnswers
    const candidates = await readCandidates(parts, write, asked)
    if (!mayAnswer(candidates, asked)) return nobodyAnswers
    const facts = await readOccasionFacts(parts, write, asked, candidates)
    const { decide, taken, jobs, limited } = createDeciding(parts, write, candidates, facts)
    for (const one of asked) await decide(one)
    if (limited.size) await parts.markLimited(write, [...limited])
    return { taken, follow: async () => void (jobs.length && (await parts.answer(write, jobs))) }
  }
