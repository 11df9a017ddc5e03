import { Type } from 'typebox'
import type { ReadyTemplate, TemplateFreezing } from '#server/messaging/templates/freezing.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { findByPhone } from '../audience/audience-store.ts'
import { changedEvent, moveSend } from '../changed.ts'
import { countUnconfirmed } from '../planning/planned-store.ts'
import type { Senders } from '../senders.ts'
import { addToCounts, changeSend, findSend, type SendChange } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import type { Announcing } from './announcing.ts'
import { handingKey, handingOf, numberOf } from './handing.ts'
import { findExceeded, handedOf, isJudgedAnew, judgedNow, leftOfCanary, maxUnconfirmed } from './limits.ts'
import { createObstacles, type ObstacleParts } from './obstacles.ts'
import { createOmitting, everyPersonMs } from './omitting.ts'
import type { OwnHours } from './own-hours.ts'
import type { Pace } from './pace.ts'
import type { PeopleLimit } from './people-limit.ts'
import { saveHandedOver } from './recipient-store.ts'

/** The functions that a bulk send needs from the inbox. */
interface SendingToMany {
  sendToMany(
    write: OrgWrite,
    to: {
      connectionId: string
      author: EventActor
      many: readonly { id: string; phone: string; ready: ReadyTemplate }[]
    },
  ): Promise<ReadonlyMap<string, string>>
  /** Sends failed messages again. Returns conversations by message id. */
  sendAgainToMany(write: OrgWrite, messageIds: readonly string[]): Promise<ReadonlyMap<string, string>>
  cancelQueued(write: OrgWrite, messageIds: readonly string[]): Promise<void>
}

export interface HandOverParts extends ObstacleParts {
  readonly clock: Clock
  readonly jobs: Jobs
  readonly templates: TemplateFreezing
  readonly inbox: SendingToMany
  readonly senders: Senders
  readonly announcing: Announcing
  readonly pace: Pace
  readonly peopleLimit: PeopleLimit
  readonly ownHours: OwnHours
  /** Messages that may be queued for a number now; if none, ask again in `inMs` milliseconds. Undefined: no limit. */
  bulkCapacity(connectionId: string): { readonly count: number; readonly inMs: number } | undefined
}

/** Interval between attempts when nothing could be handed over. */
const everyMs = 1000

/** A held send is looked at again after this long, because the reason may pass earlier than expected. */
const longestHoldMs = 15 * 60_000
/** The longest wait for the canary. */
const longestLookMs = 24 * 60 * 60_000

/** `againMs`: the job runs again after this time. */
type HandedOver = 'done' | { readonly againMs: number }
/** Recipients handed over at once, and the limit of queued ones. */
type HandOverSize = Pick<ReturnType<typeof handingOf>, 'atOnce' | 'mostQueued'>

/**
 * Hands recipients of a running send to the outbox, some dozens in one commit, which also starts those that may be sent
 * at once. After a crash they are found handed over.
 */
export function createHandOver(parts: HandOverParts) {
  const { clock, jobs, templates, inbox, senders, announcing, pace, peopleLimit, ownHours, bulkCapacity } = parts
  const findObstacle = createObstacles(parts)
  const omitting = createOmitting(parts)

  /**
   * After the canary was sent, the others wait and follow if its outcomes are within the limits. Undefined: nothing to
   * wait for.
   */
  const waitForCanary = async (write: OrgWrite, send: StoredSend): Promise<HandedOver | undefined> => {
    const { canary } = send.care
    if (!canary || leftOfCanary(send) !== null) return undefined
    const waitMs = canary.waitMinutes * 60_000
    if (send.waitsUntil === null) {
      await changeSend(write.db, write.orgId, send.id, { waitsUntil: isoIn(clock, waitMs) })
      write.emit(changedEvent(send, send.state))
      return { againMs: waitMs }
    }
    const leftMs = Date.parse(send.waitsUntil) - clock.now().getTime()
    // Longer than the wait can be: the clock was set back.
    if (leftMs > 0) return { againMs: Math.min(leftMs, waitMs) }
    // Only the canary is judged by a small number. Later, more recipients have an outcome.
    const exceeded = handedOf(send) <= canary.people ? findExceeded(send, 1) : undefined
    if (!exceeded) return undefined
    await moveSend(write, send, { state: 'blocked', reason: exceeded })
    return 'done'
  }

  /** The send stays running and waits, recorded in its row and as a job. Open pages show why. */
  const hold = async (
    write: OrgWrite,
    send: StoredSend,
    held: NonNullable<StoredSend['held']>,
  ): Promise<HandedOver> => {
    if (send.held?.why !== held.why || send.held.until !== held.until) {
      await changeSend(write.db, write.orgId, send.id, { held })
      write.emit(changedEvent(send, send.state))
    }
    const leftMs = Date.parse(held.until) - clock.now().getTime()
    return { againMs: Math.min(Math.max(leftMs, everyMs), longestHoldMs) }
  }

  /** Adjusts the rate of hand-overs to the number's current rate. */
  const setHandOverRate = async ({ db, orgId }: OrgWrite, { connectionId }: StoredSend) => {
    const { perSecond: perMessage } = await pace.of(db, orgId, connectionId)
    const { perSecond, ...size } = handingOf(perMessage)
    await jobs.setPace(db, orgId, handingKey(connectionId), perSecond)
    return { perMessage, ...size }
  }

  /** Returns how many more messages may be queued. Unconfirmed ones do not count. */
  const freeInQueue = async ({ db, orgId }: OrgWrite, send: StoredSend, { atOnce, mostQueued }: HandOverSize) => {
    const left = mostQueued - send.counts.queued
    if (left >= atOnce) return left
    return left + Math.min(await countUnconfirmed(db, orgId, send.id), maxUnconfirmed(send))
  }

  /** The next recipients, with what decides about them. */
  const readNext = async (write: OrgWrite, send: StoredSend, free: number) => {
    const { db, orgId } = write
    const { people, beginsAt } = free > 0 ? await ownHours.next(write, send, free) : { people: [], beginsAt: undefined }
    const keys = people.map(({ phone }) => phoneKey(phone))
    const contacts = await findByPhone(db, keys, { orgId })
    const standing = await templates.findStanding(db, orgId, send.templateId)
    const number = (await senders.listNumbers(db, orgId)).find(({ id }) => id === send.connectionId)
    return { people, beginsAt, contacts, standing, number }
  }
  type Next = Awaited<ReturnType<typeof readNext>>
  type People = Next['people']

  /** Omits recipients who must not get the message, each with the reason. Returns the others. */
  const omitSome = async (
    write: OrgWrite,
    send: StoredSend,
    { people, contacts }: Next,
    isMarketing: boolean,
  ): Promise<People> => {
    const wanted = await omitting.omitBlocked(write, send, people, contacts)
    const heard = isMarketing ? await omitting.omitFromMarketing(write, send, wanted, contacts) : wanted
    const inTime = await omitting.omitEndedOffers(write, send, heard)
    const allowed = await omitting.omitBeyondContactLimit(write, send, inTime, contacts)
    if (allowed.length < people.length) await announcing.ask(write, send)
    return allowed
  }

  /** Queues the messages of these recipients; those of an earlier try are queued again. Returns who was handed over. */
  const queueMessages = async (write: OrgWrite, send: StoredSend, people: People, contacts: Next['contacts']) => {
    const many = people.flatMap(({ id, phone, values, wasTried }) => {
      if (wasTried) return []
      const ready = templates.fill(send.template, values)
      // The values were validated with this frozen template.
      if (ready.faults) throw new Error(`The values of ${id} do not fit their template any more`)
      return [{ id, phone, ready }]
    })
    const triedPeople = people.filter(({ wasTried }) => wasTried)
    const tried = triedPeople.map(({ id }) => id)
    // First messages are recorded by a listener.
    const triedPhones = new Set(triedPeople.map(({ phone }) => phoneKey(phone)))
    await peopleLimit.record(
      write,
      contacts.filter(contact => triedPhones.has(contact.match_key)).map(({ id }) => id),
    )
    const author = { kind: 'person', id: send.authorId, name: send.authorName } as const
    return [
      ...(many.length ? await inbox.sendToMany(write, { connectionId: send.connectionId, author, many }) : []),
      ...(tried.length ? await inbox.sendAgainToMany(write, tried) : []),
    ].map(([id, conversationId]) => ({ id, conversationId }))
  }

  /** Records whose message was queued, and counts them. */
  const recordHandedOver = async (
    write: OrgWrite,
    send: StoredSend,
    handed: readonly { id: string; conversationId: string }[],
    isMarketing: boolean,
  ): Promise<void> => {
    const { db, orgId } = write
    const at = isoNow(clock)
    await saveHandedOver(db, handed, { orgId, at, marketingAt: isMarketing ? at : null })
    await addToCounts(db, orgId, send.id, { planned: -handed.length, queued: handed.length })
    await templates.noteUse(db, orgId, send.templateId, { count: handed.length, at })
    await announcing.ask(write, send)
  }

  const handSome = async (write: OrgWrite, send: StoredSend): Promise<HandedOver> => {
    const { db, orgId } = write
    if (!send.counts.planned) {
      if (!send.counts.queued) await moveSend(write, send, { state: 'completed', endedAt: isoNow(clock) })
      return 'done'
    }
    const waiting = await waitForCanary(write, send)
    if (waiting) return waiting
    const { perMessage, ...size } = await setHandOverRate(write, send)
    const { atOnce } = size
    const mayJoin = await freeInQueue(write, send, size)
    const free = Math.min(atOnce, mayJoin, leftOfCanary(send) ?? Number.POSITIVE_INFINITY)
    const next = await readNext(write, send, free)
    const { contacts, standing, number } = next
    const obstacle = await findObstacle(db, send, next)
    if (obstacle) {
      await moveSend(write, send, { state: 'blocked', reason: obstacle })
      return 'done'
    }
    if (next.beginsAt) return hold(write, send, { why: 'hours', until: next.beginsAt })
    // Meta may have changed the category to marketing.
    const isMarketing = !send.isTest && [send.template, standing].some(one => one && isMarketingCategory(one.category))
    const allowed = await omitSome(write, send, next, isMarketing)
    // If the queue limit is reached, try again when one hand-over's worth has been sent.
    if (!allowed.length) return { againMs: free > 0 ? everyMs : Math.min(everyMs, (1000 * atOnce) / perMessage) }
    const spaced = await omitting.withoutJustSent(write, allowed, contacts)
    if (!spaced.length) return { againMs: everyPersonMs }
    const ofNumber = { orgId, connectionId: send.connectionId, limit: number?.messagingLimit ?? null }
    const { people, freeAt } = await peopleLimit.within(db, ofNumber, spaced, contacts)
    if (freeAt) return hold(write, send, { why: 'peopleLimit', until: freeAt })
    if (send.held) await changeSend(db, orgId, send.id, { held: null })
    const handed = await queueMessages(write, send, people, contacts)
    await recordHandedOver(write, send, handed, isMarketing)
    if (send.counts.planned <= next.people.length && people.length === allowed.length) return 'done'
    // Other sends share the number. Its rate decides when this one continues.
    return { againMs: handed.length ? 0 : everyMs }
  }

  const queue = jobs.register({
    name: 'bulkSends.handOver',
    payload: Type.Object({ sendId: Type.String() }),
    lane: 'bulk',
    // Of two slots the bulk lane gets one: one hand-over per number is as much as one commit should hold.
    atOnce: 2,
    perSecond: 1,
    isKept: false,
    looksWithinMs: longestLookMs,
    // Hand over when messages can be sent, so that they do not wait.
    free: ({ paceKey }) => bulkCapacity(numberOf(paceKey)),
    // The hand-over and the job's next run are one commit, so that resuming is consistent.
    async claimed(writes, claimed) {
      const over = new Map<number, { over: Outcome }>()
      for (const { seq, orgId, payload } of claimed) {
        const write = writes.of(orgId)
        const send = await findSend(write.db, orgId, payload.sendId)
        const next = send?.state === 'running' ? await handSome(write, send) : 'done'
        over.set(seq, { over: next === 'done' ? { kind: 'done' } : { kind: 'again', afterMs: next.againMs } })
      }
      return over
    },
    run: async () => ({ kind: 'again', afterMs: 0 }),
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  return {
    /** Starts or resumes, in the caller's transaction. */
    async begin(write: OrgWrite, send: StoredSend, change: SendChange = {}): Promise<StoredSend> {
      const { db, orgId, afterCommit } = write
      const startedAt = send.startedAt ?? isoNow(clock)
      const standing = isJudgedAnew(send) ? await templates.findStanding(db, orgId, send.templateId) : undefined
      const judged = isJudgedAnew(send) ? { judgedFrom: judgedNow(send, standing?.quality ?? null) } : {}
      const started = { state: 'running', reason: null, startedAt, held: null } as const
      const moved = await moveSend(write, send, { ...change, ...judged, ...started })
      const paceKey = handingKey(send.connectionId)
      // The first hand-over counts against the rate.
      await setHandOverRate(write, send)
      await queue.add(db, orgId, [{ payload: { sendId: send.id }, uniqueKey: send.id, paceKey }])
      afterCommit(queue.wake)
      return moved
    },
  }
}
export type HandOver = ReturnType<typeof createHandOver>
