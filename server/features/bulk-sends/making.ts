import type { CountryCode } from 'libphonenumber-js/max'
import { findSegment } from '#server/messaging/contacts/segments.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { TemplateFreezing } from '#server/messaging/templates/freezing.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { requireRowsLeft } from '#server/platform/db/row-limits-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { bulkSendsApi } from '#shared/bulk-sends/api.ts'
import { type BulkSendCare, careDefaults } from '#shared/bulk-sends/care.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { requireColumns } from './audience/audience.ts'
import { changedEvent } from './changed.ts'
import { removeDraft } from './drafts/draft-store.ts'
import { findVisibleDraft } from './drafts/drafts.ts'
import { countAudience } from './planning/counting.ts'
import { marketingCapOf, type Planning, requireOfferAhead } from './planning/planning.ts'
import type { Preparing } from './planning/preparing.ts'
import type { Testing } from './planning/testing.ts'
import { presentSend } from './reports/present.ts'
import { creatorOf, findVisible } from './rights/visible.ts'
import { requireNumber, type Senders } from './senders.ts'
import type { HandOverParts } from './sending/hand-over.ts'
import type { Scheduling } from './sending/scheduling.ts'
import type { ToNumbers } from './sending/to-numbers.ts'
import { findSend, insertSend } from './store.ts'
import { type AudienceSummary, anyCount, type StoredSend } from './stored-send.ts'

export interface MakingParts extends Pick<HandOverParts, 'scopes'> {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly ids: (at?: number) => string
  readonly tags: Pick<Tags, 'list'>
  readonly templates: TemplateFreezing
  readonly senders: Pick<Senders, 'listNumbers'>
  readonly planning: Planning
  readonly preparing: Preparing
  readonly scheduling: Scheduling
  readonly testing: Testing
  readonly toNumbers: ToNumbers
  readCountry(orgId: string): Promise<CountryCode>
  readTimeZone(orgId: string, db?: Db): Promise<string>
}

const { failedPercent, optedOutPercent } = careDefaults
const defaultLimits: BulkSendCare['limits'] = { failedPercent, optedOutPercent }

interface NewSendOptions extends Partial<Pick<BulkSendCare, 'canary' | 'hours' | 'localStart'>> {
  /** Empty: the template and today. */
  readonly name?: string | undefined
  readonly startIfPlanned: number | null
  readonly startsAt: string | null
  readonly limits?: BulkSendCare['limits'] | undefined
  readonly isOneChat?: boolean
  /** The request's field for the end of an offer. */
  readonly offerField?: string
  /** The draft it was made from. */
  readonly draft?: string | undefined
}

type Making = Pick<
  ServiceOf<typeof bulkSendsApi, OrgCaller>,
  'plan' | 'countAudience' | 'sendTest' | 'create' | 'sendTemplate'
>

/** Turns a request into a plan, a test or a send whose recipients are then written. */
export function createMaking(parts: MakingParts): Making {
  const { databases, clock, ids, writes, tags, templates, senders, scopes } = parts
  const { planning, preparing, scheduling, testing, toNumbers, readCountry, readTimeZone } = parts

  /** @throws InvalidInput for an unknown tag or earlier send. */
  const summarize = async (db: Db, caller: OrgCaller, { audience }: PlanInput): Promise<AudienceSummary> => {
    const { orgId } = caller
    const earlier = audience.unanswered && (await findVisible(db, scopes, caller, audience.unanswered.send))
    if (audience.unanswered && !earlier)
      throw new InvalidInput([{ field: 'body.audience.unanswered.send', code: 'invalid', params: {} }])
    const known = audience.tags ? await tags.list(db, orgId) : []
    const labels = (audience.tags?.ids ?? []).map(id => {
      const tag = known.find(one => one.id === id)
      if (!tag) throw new InvalidInput([{ field: 'body.audience.tags.ids', code: 'invalid', params: {} }])
      return tag.label
    })
    const same = audience.again && (await findVisible(db, scopes, caller, audience.again.send))
    if (audience.again && (!same || same.state === 'preparing'))
      throw new InvalidInput([{ field: 'body.audience.again.send', code: 'invalid', params: {} }])
    if (audience.csv) requireColumns(audience.csv, await readCountry(orgId))
    const segment = audience.segment && (await findSegment(db, orgId, audience.segment.id))
    if (audience.segment && !segment)
      throw new InvalidInput([{ field: 'body.audience.segment.id', code: 'invalid', params: {} }])
    return {
      tags: labels,
      match: audience.tags?.match ?? null,
      hasNumbers: audience.numbers !== undefined,
      hasFile: audience.csv !== undefined,
      segment: segment?.label ?? null,
      unansweredOf: earlier?.template.name ?? null,
      againOf: same?.template.name ?? null,
    }
  }

  const leavesAt = (startsAt: string | null): number =>
    Math.max(clock.now().getTime(), startsAt === null ? 0 : Date.parse(startsAt))

  /** Stores a send and queues writing its recipients. */
  const store = async (caller: OrgCaller, request: PlanInput, options: NewSendOptions): Promise<BulkSend> => {
    const { startIfPlanned, startsAt, canary = null, hours = null, limits = defaultLimits, isOneChat, draft } = options
    const { localStart = null, offerField } = options
    if (hours && hours.from >= hours.to)
      throw new InvalidInput([{ field: 'body.hours.to', code: 'invalid', params: {} }])
    const audience = await summarize(databases.read, caller, request)
    const now = isoNow(clock)
    const nowHere = shortTime(now, caller.language, await readTimeZone(caller.orgId))
    return writes.run(caller.orgId, actorOf(caller), async write => {
      const { db, orgId } = write
      const number = requireNumber(await senders.listNumbers(db, orgId))
      const template = await templates.freeze(db, orgId, request.template)
      requireOfferAhead(template, request.values, leavesAt(startsAt), offerField)
      const send = {
        id: ids(clock.now().getTime()),
        connectionId: number.id,
        templateId: template.id,
        template,
        name: options.name?.trim() || `${template.name} · ${nowHere}`,
        audience: isOneChat ? { ...audience, isOneChat } : audience,
        care: { canary, hours, limits, marketingCap: marketingCapOf(request), ...(localStart ? { localStart } : {}) },
        startIfPlanned,
        state: 'preparing' as const,
        creatorId: creatorOf(caller),
        authorId: callerId(caller),
        authorName: caller.name,
        createdAt: now,
        startsAt,
      }
      await requireRowsLeft(db, orgId, 'bulk_send')
      await insertSend(db, orgId, send, { asked: request, turn: databases.turn })
      await preparing.add(write, send.id)
      // The draft may have been deleted meanwhile.
      if (draft !== undefined && (await findVisibleDraft(db, caller, draft))) await removeDraft(db, orgId, draft)
      const stored = (await findSend(db, orgId, send.id)) as StoredSend
      write.emit(changedEvent(stored, null))
      return presentSend(stored)
    })
  }

  return {
    async plan(caller, { body }) {
      await summarize(databases.read, caller, body)
      return planning.plan(caller.orgId, caller.role, body)
    },

    async countAudience(caller, { body }) {
      const { orgId, role } = caller
      await summarize(databases.read, caller, body)
      const template = await templates.freeze(databases.read, orgId, body.template)
      return countAudience(planning.planAll(orgId, body, { template, role }), body)
    },

    async sendTest(caller, { body: { number, ...request } }) {
      await summarize(databases.read, caller, request)
      const facts = { creatorId: creatorOf(caller), authorId: callerId(caller), authorName: caller.name }
      return presentSend(await testing.send(caller, request, { number, facts }))
    },

    create: (
      caller,
      {
        body: {
          name,
          startIfPlanned = null,
          startAt,
          localStart,
          draft,
          canary = null,
          hours = null,
          limits,
          ...request
        },
      },
    ) => {
      if (startAt !== undefined && localStart !== undefined)
        throw new InvalidInput([{ field: 'body.localStart', code: 'invalid', params: {} }])
      const startsLocally = localStart === undefined ? null : scheduling.readLocalStart(localStart)
      const startsAt = startAt === undefined ? startsLocally : scheduling.readStart(startAt)
      return store(caller, request, { name, startIfPlanned, startsAt, canary, hours, localStart, limits, draft })
    },

    async sendTemplate(caller, { body }) {
      const startsAt = body.at === undefined ? null : scheduling.readStart(body.at, 'body.at')
      requireNumber(await senders.listNumbers(databases.read, caller.orgId))
      const { request, isOneChat, planned, omitted } = await toNumbers.read(caller, body)
      const { id, state } = await store(caller, request, {
        startIfPlanned: anyCount,
        startsAt,
        isOneChat,
        offerField: 'body.offerEndsAt',
      })
      return { id, planned, omitted, state }
    },
  }
}
