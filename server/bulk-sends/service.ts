import type { CountryCode } from 'libphonenumber-js/max'
import {
  type BulkSend,
  type BulkSendCare,
  type BulkSendState,
  bulkSendGroups,
  type bulkSendsApi,
  bulkSendsPerPage,
  careDefaults,
  type PlanInput,
  recipientsPerPage,
  recipientsPerReport,
} from '#shared/bulk-sends.ts'
import type { ServiceOf } from '#shared/contract.ts'
import type { Language } from '#shared/language.ts'
import { findComponent } from '#shared/template-components.ts'
import { callerId, type OrgCaller } from '../actor.ts'
import { isoNow } from '../clock.ts'
import type { Databases, Db } from '../db.ts'
import { actorOf } from '../events/actors.ts'
import type { OrgWrite, Writes } from '../events/writes.ts'
import { inBatches } from '../in-batches.ts'
import type { Tags } from '../tags/tags.ts'
import { InvalidInput } from '../validate.ts'
import { mayRetryMany } from '../whatsapp/code-meanings.ts'
import { failureKey } from '../whatsapp/errors.ts'
import { readHead } from './audience.ts'
import { changedEvent, moveSend } from './changed.ts'
import type { ContactFields } from './contact-facts.ts'
import { removeDraft } from './draft-store.ts'
import { findVisibleDraft } from './drafts.ts'
import { bulkSendErrors } from './errors.ts'
import { checkFile } from './file-check.ts'
import type { HandOver, HandOverParts } from './hand-over.ts'
import { mostEverQueued } from './handing.ts'
import { countSends, listSends } from './list-store.ts'
import { capOf, type Planning } from './planning.ts'
import type { Preparing } from './preparing.ts'
import { presentRecipient, presentSend } from './present.ts'
import { createRates } from './rates.ts'
import { presentRecipe, type StoredRecipe } from './recipe.ts'
import { findRecipe } from './recipe-store.ts'
import { countReasons, listBehind, listQueued, listRecipients, planAgain, type ReportRow } from './recipient-store.ts'
import { reportHead, reportLines } from './report-csv.ts'
import type { Scheduling } from './scheduling.ts'
import { findSegment } from './segment-store.ts'
import { createSegments } from './segments.ts'
import { requireNumber, type Senders } from './senders.ts'
import { createSetPace } from './set-pace.ts'
import { type AudienceSummary, addToCounts, findSend, however, insertSend, type StoredSend } from './store.ts'
import type { Testing } from './testing.ts'
import type { ToNumbers } from './to-numbers.ts'
import { creatorOf, findSeen, findVisible, seesAllSends, seesByTags } from './visible.ts'

export interface BulkSendParts extends Pick<HandOverParts, 'clock' | 'templates' | 'inbox' | 'pace' | 'scopes'> {
  readonly databases: Databases
  readonly writes: Pick<Writes, 'run'>
  readonly ids: (at?: number) => string
  readonly tags: Pick<Tags, 'list'>
  readonly senders: Pick<Senders, 'listNumbers'>
  readonly contactFields: Pick<ContactFields, 'list'>
  readonly planning: Planning
  readonly preparing: Preparing
  readonly handOver: HandOver
  readonly scheduling: Scheduling
  readonly testing: Testing
  readonly toNumbers: ToNumbers
  countryOf(orgId: string): Promise<CountryCode>
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

/** Some ten milliseconds of the one writer. */
const plannedAgainAtOnce = 200

const { failedPercent, optedOutPercent } = careDefaults
const defaultLimits: BulkSendCare['limits'] = { failedPercent, optedOutPercent }

interface NewSendOptions extends Partial<Pick<BulkSendCare, 'canary' | 'hours'>> {
  readonly startIfPlanned: number | null
  readonly startsAt: string | null
  readonly limits?: BulkSendCare['limits'] | undefined
  readonly isOneChat?: boolean
  /** What it was put together in. */
  readonly draft?: string | undefined
}

const requirePeople = ({ counts }: StoredSend): void => {
  if (!counts.planned) throw bulkSendErrors.NOBODY()
}
/** Whose sends a list has. */
const readerOf = (caller: OrgCaller) => (seesAllSends(caller) ? undefined : creatorOf(caller))

/** Left out because their contact may have no tag of the reader's role. */
const mayBeStrangers: readonly (string | null)[] = ['noPermission', 'usernameOnly']
/** Whoever sees a send by tags does not read who else was typed. */
const withoutStrangers = (caller: OrgCaller, send: StoredSend, rows: readonly ReportRow[]): readonly ReportRow[] =>
  seesByTags(caller, send)
    ? rows.map(row =>
        row.state === 'omitted' && mayBeStrangers.includes(row.reason) ? { ...row, given: '', name: null } : row,
      )
    : rows

const whoeverItWasFor = (send: string): StoredRecipe => ({
  audience: { again: { send } },
  values: undefined,
  hadColumns: false,
})

export function createBulkSends(parts: BulkSendParts): ServiceOf<typeof bulkSendsApi, OrgCaller> {
  const { databases, clock, ids, writes, tags, templates, inbox, senders, scopes, translate } = parts
  const { pace, planning, preparing, handOver, scheduling, testing, toNumbers } = parts

  const requireSend = async (db: Db, caller: OrgCaller, id: string): Promise<StoredSend> => {
    const send = await findVisible(db, scopes, caller, id)
    if (!send) throw bulkSendErrors.NOT_FOUND()
    return send
  }

  /** @throws InvalidInput for a tag or an earlier send there is none of. */
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
    if (audience.csv) readHead(audience.csv)
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

  /** Stores a send, whose people are written down from then on. */
  const store = async (caller: OrgCaller, request: PlanInput, options: NewSendOptions): Promise<BulkSend> => {
    const { startIfPlanned, startsAt, canary = null, hours = null, limits = defaultLimits, isOneChat, draft } = options
    if (hours && hours.from >= hours.to)
      throw new InvalidInput([{ field: 'body.hours.to', code: 'invalid', params: {} }])
    const audience = await summarize(databases.read, caller, request)
    return writes.run(caller.orgId, actorOf(caller), async write => {
      const { db, orgId } = write
      const number = requireNumber(await senders.listNumbers(db, orgId))
      const template = await templates.freeze(db, orgId, request.template)
      const send = {
        id: ids(clock.now().getTime()),
        connectionId: number.id,
        templateId: template.id,
        template,
        audience: isOneChat ? { ...audience, isOneChat } : audience,
        care: { canary, hours, limits, marketingCap: capOf(request) },
        startIfPlanned,
        state: 'preparing' as const,
        creatorId: creatorOf(caller),
        authorId: callerId(caller),
        authorName: caller.name,
        createdAt: isoNow(clock),
        startsAt,
      }
      await insertSend(db, orgId, send, { asked: request, turn: databases.turn })
      await preparing.add(write, send.id)
      // Somebody else may have thrown it away meanwhile.
      if (draft !== undefined && (await findVisibleDraft(db, caller, draft))) await removeDraft(db, orgId, draft)
      const stored = (await findSend(db, orgId, send.id)) as StoredSend
      write.emit(changedEvent(stored, null))
      return presentSend(stored)
    })
  }

  /** Does it from these states; already there, it changes nothing. */
  const move = (
    caller: OrgCaller,
    id: string,
    {
      from,
      to,
      work,
    }: {
      from: readonly BulkSendState[]
      to: BulkSendState
      work: (write: OrgWrite, send: StoredSend) => Promise<StoredSend>
    },
  ): Promise<BulkSend> =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const send = await requireSend(write.db, caller, id)
      if (send.state === to && !from.includes(to)) return presentSend(send)
      if (!from.includes(send.state)) throw bulkSendErrors.WRONG_STATE({ params: { state: send.state } })
      return presentSend(await work(write, send))
    })

  return {
    ...createSetPace(parts),
    ...createRates(parts),
    ...createSegments(parts),

    async plan(caller, { body }) {
      await summarize(databases.read, caller, body)
      return planning.plan(caller.orgId, caller.role, body)
    },

    async checkFile({ orgId }, { body }) {
      const country = await parts.countryOf(orgId)
      const { csv, withNumbers = false } = body
      return checkFile(csv, { country, giveWay: () => databases.turn.giveWay(), withNumbers })
    },

    async sendTest(caller, { body: { number, ...request } }) {
      await summarize(databases.read, caller, request)
      const facts = { creatorId: creatorOf(caller), authorId: callerId(caller), authorName: caller.name }
      return presentSend(await testing.send(caller, request, { number, facts }))
    },

    create: (
      caller,
      { body: { startIfPlanned = null, startAt, draft, canary = null, hours = null, limits, ...request } },
    ) => {
      const startsAt = startAt === undefined ? null : scheduling.readStart(startAt)
      return store(caller, request, { startIfPlanned, startsAt, canary, hours, limits, draft })
    },

    async sendTemplate(caller, { body }) {
      const startsAt = body.at === undefined ? null : scheduling.readStart(body.at, 'body.at')
      requireNumber(await senders.listNumbers(databases.read, caller.orgId))
      const { request, isOneChat, planned, omitted } = await toNumbers.read(caller, body)
      const { id, state } = await store(caller, request, { startIfPlanned: however, startsAt, isOneChat })
      return { id, planned, omitted, state }
    },

    async list(caller, { query: { page = 1, group } }) {
      const found = await listSends(databases.read, caller.orgId, readerOf(caller), {
        states: group && bulkSendGroups[group],
        offset: (page - 1) * bulkSendsPerPage,
        limit: bulkSendsPerPage + 1,
      })
      // What was shared is found by who may have seen it a moment ago.
      const seen = await findSeen(databases.read, scopes, caller, found.slice(0, bulkSendsPerPage))
      const items = seen.map(presentSend)
      return { items, page, pageSize: bulkSendsPerPage, hasMore: found.length > bulkSendsPerPage }
    },

    async countGroups(caller) {
      const counts = await countSends(databases.read, caller.orgId, readerOf(caller))
      const sumOf = (states: Iterable<BulkSendState>) =>
        [...states].reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
      const { running, attention, scheduled, over } = bulkSendGroups
      return {
        all: sumOf(counts.keys()),
        running: sumOf(running),
        attention: sumOf(attention),
        scheduled: sumOf(scheduled),
        over: sumOf(over),
      }
    },

    async get(caller, { params }) {
      const { read } = databases
      const send = await requireSend(read, caller, params.id)
      const groups = await countReasons(read, caller.orgId, send.id)
      return {
        ...presentSend(send),
        text: findComponent(send.template.components, 'BODY')?.text ?? '',
        ...(await pace.of(read, caller.orgId, send.connectionId)),
        groups: groups.map(group => ({
          ...group,
          mayRetry: group.state === 'failed' && mayRetryMany(group.reason),
          message: group.state === 'failed' ? translate(caller.language, failureKey(group.reason)) : group.reason,
        })),
      }
    },

    async getRecipe(caller, { params }) {
      const { read } = databases
      const { id, templateId, care } = await requireSend(read, caller, params.id)
      const recipe = (await findRecipe(read, caller.orgId, id)) ?? whoeverItWasFor(id)
      const { segment } = recipe.audience
      const known = {
        tagIds: new Set((await tags.list(read, caller.orgId)).map(tag => tag.id)),
        fieldIds: new Set((await parts.contactFields.list(read, caller.orgId)).map(field => field.id)),
        hasSegment: segment !== undefined && (await findSegment(read, caller.orgId, segment.id)) !== undefined,
      }
      return { template: templateId, ...presentRecipe(recipe, known), ...care }
    },

    async listRecipients(caller, { params, query: { page = 1, state, reason } }) {
      const send = await requireSend(databases.read, caller, params.id)
      if (reason !== undefined && state === undefined)
        throw new InvalidInput([{ field: 'query.state', code: 'required', params: {} }])
      const found = await listRecipients(databases.read, caller.orgId, send.id, {
        state,
        reason,
        offset: (page - 1) * recipientsPerPage,
        limit: recipientsPerPage + 1,
      })
      const say = (code: string) => translate(caller.language, failureKey(code))
      const shown = withoutStrangers(caller, send, found.slice(0, recipientsPerPage))
      const items = shown.map(row => presentRecipient(row, say))
      return { items, page, pageSize: recipientsPerPage, hasMore: found.length > recipientsPerPage }
    },

    async getReportCsv(caller, { params, query: { after = -1 } }) {
      const send = await requireSend(databases.read, caller, params.id)
      const found = await listBehind(databases.read, caller.orgId, send.id, { after, limit: recipientsPerReport + 1 })
      const rows = found.slice(0, recipientsPerReport)
      const head = after === -1 ? reportHead(caller.language, translate) : ''
      const next = found.length > rows.length ? (rows.at(-1)?.place ?? null) : null
      const lines = reportLines(withoutStrangers(caller, send, rows), caller.language, translate)
      return { csv: head + lines, next }
    },

    start: (caller, { params }) =>
      move(caller, params.id, {
        from: ['ready', 'scheduled'],
        to: 'running',
        async work(write, send) {
          requirePeople(send)
          return handOver.begin(write, send)
        },
      }),

    async schedule(caller, { params, body }) {
      const startsAt = scheduling.readStart(body.startAt)
      return move(caller, params.id, {
        from: ['ready', 'scheduled'],
        to: 'scheduled',
        async work(write, send) {
          requirePeople(send)
          return scheduling.set(write, send, startsAt)
        },
      })
    },

    unschedule: (caller, { params }) =>
      move(caller, params.id, {
        from: ['scheduled'],
        to: 'ready',
        work: (write, send) => moveSend(write, send, { state: 'ready', startsAt: null }),
      }),

    /** Planned anew some at a time; whoever calls again after a crash goes on with it. @throws BULK_SENDS_NOTHING_TO_RETRY */
    async retry(caller, { params }) {
      const { read } = databases
      const { id } = await requireSend(read, caller, params.id)
      const groups = await countReasons(read, caller.orgId, id)
      const codes = groups.flatMap(({ state, reason }) => (state === 'failed' && mayRetryMany(reason) ? [reason] : []))
      if (codes.length)
        await inBatches(plannedAgainAtOnce, limit =>
          writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
            if ((await requireSend(db, caller, id)).state !== 'completed') return 0
            const planned = await planAgain(db, orgId, id, { codes, at: isoNow(clock), limit })
            await addToCounts(db, orgId, id, { planned, failed: -planned })
            return planned
          }),
        )
      return move(caller, id, {
        from: ['completed'],
        to: 'running',
        async work(write, send) {
          if (!send.counts.planned) throw bulkSendErrors.NOTHING_TO_RETRY()
          return handOver.begin(write, send, { endedAt: null })
        },
      })
    },

    pause: (caller, { params }) =>
      move(caller, params.id, {
        from: ['running'],
        to: 'paused',
        work: (write, send) => moveSend(write, send, { state: 'paused' }),
      }),

    resume: (caller, { params }) =>
      move(caller, params.id, {
        from: ['paused', 'blocked'],
        to: 'running',
        work: (write, send) => handOver.begin(write, send),
      }),

    cancel: (caller, { params }) =>
      move(caller, params.id, {
        from: ['preparing', 'ready', 'scheduled', 'running', 'paused', 'blocked'],
        to: 'cancelled',
        async work(write, send) {
          const moved = await moveSend(write, send, { state: 'cancelled', endedAt: isoNow(clock), isWritten: true })
          await inbox.takeBack(write, await listQueued(write.db, write.orgId, send.id, mostEverQueued))
          return moved
        },
      }),
  }
}
