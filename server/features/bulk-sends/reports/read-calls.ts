import { findSegment } from '#server/messaging/contacts/segments.ts'
import { sayFailureBy } from '#server/messaging/messages/delivery/failure.ts'
import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { readTime } from '#server/platform/http/time-input.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Translate } from '#server/platform/text/i18n.ts'
import { mayRetryMany } from '#server/whatsapp/errors/code-meanings.ts'
import type { bulkSendsApi } from '#shared/bulk-sends/api.ts'
import { bulkSendsPerPage, recipientsPerPage, recipientsPerReport } from '#shared/bulk-sends/limits.ts'
import type { BilledCost, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import {
  type BulkSendState,
  bulkSendGroups,
  outcomeStates,
  type RecipientOutcome,
  type RecipientState,
} from '#shared/bulk-sends/states.ts'
import { type FailureStep, failureStep } from '#shared/inbox/failures.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { findComponent } from '#shared/templates/components.ts'
import type { ContactFields } from '../audience/contact-facts.ts'
import { presentRecipe, type StoredRecipe } from '../drafts/recipe.ts'
import { findRecipe } from '../drafts/recipe-store.ts'
import { creatorOf, findSeen, requireVisible, seesAllSends, seesByTags } from '../rights/visible.ts'
import type { HandOverParts } from '../sending/hand-over.ts'
import type { StoredSend } from '../stored-send.ts'
import { curveOf } from './curve.ts'
import { listCurve } from './curve-store.ts'
import { countSends, findSendsInOrder, listSends } from './list-store.ts'
import { listOfPeriod } from './period.ts'
import { presentCards, presentRecipient, presentSend } from './present.ts'
import { reportHead, reportLines, sayReason } from './report-csv.ts'
import {
  countReasons,
  listBehind,
  listRecipients,
  type RecipientFilter,
  type ReportRow,
  selectMessageIds,
} from './report-store.ts'

export interface ReadingParts extends Pick<HandOverParts, 'pace' | 'scopes'> {
  readonly databases: Databases
  readonly tags: Pick<Tags, 'list'>
  readonly contactFields: Pick<ContactFields, 'list'>
  /** Reads the cost of messages, as the statistics count them, one query of ids after another. Undefined: none is counted. */
  costOfMessages(
    db: Db,
    orgId: string,
    queries: Awaited<ReturnType<typeof selectMessageIds>>,
  ): Promise<BilledCost | undefined>
  translate(language: Language, key: string, params?: Readonly<Record<string, unknown>>): string
}

/** The person whose sends a list shows. Undefined: everybody's. */
const readerOf = (caller: OrgCaller) => (seesAllSends(caller) ? undefined : creatorOf(caller))

/** Omitted people whose contact may have no tag of the reader's role. */
const mayBeStrangers: readonly (string | null)[] = ['noPermission', 'usernameOnly']
/** A reader who sees a send only by tags does not see other people's numbers. */
const withoutStrangers = (caller: OrgCaller, send: StoredSend, rows: readonly ReportRow[]): readonly ReportRow[] =>
  seesByTags(caller, send)
    ? rows.map(row =>
        row.state === 'omitted' && mayBeStrangers.includes(row.reason) ? { ...row, given: '', name: null } : row,
      )
    : rows

const recipientFilterOf = (outcome: RecipientOutcome): RecipientFilter =>
  outcome === 'optedOut' ? outcome : { states: outcomeStates[outcome] }

/** Sorts after every ISO time. */
const lastTime = '9999'

const sameRecipientsAs = (send: string): StoredRecipe => ({
  audience: { again: { send } },
  values: undefined,
  hadColumns: false,
})

/** Values of the text that are the same for all recipients, by variable. */
const valuesForAll = (recipe: StoredRecipe | undefined): Record<string, string> =>
  Object.fromEntries(
    Object.entries(recipe?.values?.body ?? {}).flatMap(([name, { from, text }]) =>
      from === 'fixed' && text ? [[name, text] as const] : [],
    ),
  )

const isOver = ({ state }: StoredSend): boolean => (bulkSendGroups.over as readonly BulkSendState[]).includes(state)

type Reading = Pick<
  ServiceOf<typeof bulkSendsApi, OrgCaller>,
  'list' | 'countGroups' | 'get' | 'getRecipe' | 'listRecipients' | 'getReportCsv'
>

type ReasonGroup = BulkSendReport['groups'][number] & {
  /** `reason` is the most frequent of them. */
  readonly codes: string[]
}

/** Reads sends for callers who may see them. */
export function createReading(parts: ReadingParts): Reading {
  const { databases, tags, scopes, pace, translate } = parts

  const sayNext = (language: Language, step: FailureStep) => ({
    step,
    text: translate(language, `inbox:failureNext.${step}`),
  })

  /** Why recipients did not get a send, most frequent first. Codes with the same text and advice are grouped. */
  const reasonsOf = async ({ orgId, language }: OrgCaller, sendId: string) => {
    const known = new Map<string, ReasonGroup>()
    for (const { state, reason, count } of await countReasons(databases.read, orgId, sendId)) {
      const mayRetry = state === 'failed' && mayRetryMany(reason)
      const message = sayReason((key, params) => translate(language, key, params), state, reason)
      // Without a time: the people of a group failed at different times.
      const next = state !== 'omitted' ? sayNext(language, failureStep(reason)) : undefined
      const key = `${state} ${mayRetry} ${next?.step} ${message}`
      const group = known.get(key)
      if (group) {
        group.count += count
        group.codes.push(reason)
      } else known.set(key, { state, reason, message, mayRetry, ...(next ? { next } : {}), count, codes: [reason] })
    }
    return [...known.values()].sort((a, b) => b.count - a.count)
  }

  /** Reads the cost of a send. Null: none of its messages was delivered, or they are not counted. */
  const costOf = async (orgId: string, sendId: string): Promise<BilledCost | null> => {
    const { read } = databases
    const cost = await parts.costOfMessages(read, orgId, await selectMessageIds(read, orgId, sendId))
    return cost?.delivered ? cost : null
  }

  /** All codes of the group of this code. */
  const codesLike = async (caller: OrgCaller, sendId: string, of: RecipientState, code: string) =>
    (await reasonsOf(caller, sendId)).find(({ state, codes }) => state === of && codes.includes(code))?.codes ?? [code]

  return {
    async list(caller, { query: { page = 1, group, since, until } }) {
      const asked = {
        states: group && bulkSendGroups[group],
        offset: (page - 1) * bulkSendsPerPage,
        limit: bulkSendsPerPage + 1,
      }
      const found =
        since === undefined && until === undefined
          ? await listSends(databases.read, caller.orgId, readerOf(caller), asked)
          : await findSendsInOrder(
              databases.read,
              caller.orgId,
              await listOfPeriod(parts, caller, {
                since: since === undefined ? '' : readTime(since, 'query.since'),
                until: until === undefined ? lastTime : readTime(until, 'query.until'),
                ...asked,
              }),
            )
      // Rights may have changed since the list was read.
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
      const send = await requireVisible(read, scopes, caller, params.id)
      const groups = await reasonsOf(caller, send.id)
      const body = findComponent(send.template.components, 'BODY')
      return {
        ...presentSend(send),
        text: body?.text ?? '',
        textExample: body?.example ?? null,
        cards: presentCards(send.template),
        billed: isOver(send) ? await costOf(caller.orgId, send.id) : null,
        textValues: valuesForAll(await findRecipe(read, caller.orgId, send.id)),
        ...(await pace.of(read, caller.orgId, send.connectionId)),
        curve: curveOf(await listCurve(read, caller.orgId, send.id)),
        groups: groups.map(({ codes: _, ...group }) => group),
      }
    },

    async getRecipe(caller, { params }) {
      const { read } = databases
      const { id, templateId, care: all } = await requireVisible(read, scopes, caller, params.id)
      // A start time in the past cannot be repeated.
      const { localStart: _, ...care } = all
      const recipe = (await findRecipe(read, caller.orgId, id)) ?? sameRecipientsAs(id)
      const { segment } = recipe.audience
      const known = {
        tagIds: new Set((await tags.list(read, caller.orgId)).map(tag => tag.id)),
        fieldIds: new Set((await parts.contactFields.list(read, caller.orgId)).map(field => field.id)),
        hasSegment: segment !== undefined && (await findSegment(read, caller.orgId, segment.id)) !== undefined,
      }
      return { template: templateId, ...presentRecipe(recipe, known), ...care }
    },

    async listRecipients(caller, { params, query: { page = 1, state, reason, outcome } }) {
      const send = await requireVisible(databases.read, scopes, caller, params.id)
      if (reason !== undefined && state === undefined)
        throw new InvalidInput([{ field: 'query.state', code: 'required', params: {} }])
      if (state !== undefined && outcome !== undefined)
        throw new InvalidInput([{ field: 'query.outcome', code: 'invalid', params: {} }])
      const reasons =
        reason === undefined || state === undefined ? undefined : await codesLike(caller, send.id, state, reason)
      const found = await listRecipients(databases.read, caller.orgId, send.id, {
        filter: state ? { states: [state], reasons } : outcome && recipientFilterOf(outcome),
        offset: (page - 1) * recipientsPerPage,
        limit: recipientsPerPage + 1,
      })
      const inWords: Translate = (key, params) => translate(caller.language, key, params)
      const sayFailure = sayFailureBy(inWords)
      const say = (state: string, code: string, at: string | null) => ({
        ...((state === 'failed' || state === 'unconfirmed') && at !== null ? sayFailure(code, at) : { code }),
        message: sayReason(inWords, state, code),
      })
      const shown = withoutStrangers(caller, send, found.slice(0, recipientsPerPage))
      const items = shown.map(row => presentRecipient(row, say))
      return { items, page, pageSize: recipientsPerPage, hasMore: found.length > recipientsPerPage }
    },

    async getReportCsv(caller, { params, query: { after = -1 } }) {
      const send = await requireVisible(databases.read, scopes, caller, params.id)
      const found = await listBehind(databases.read, caller.orgId, send.id, { after, limit: recipientsPerReport + 1 })
      const rows = found.slice(0, recipientsPerReport)
      const head = after === -1 ? reportHead(caller.language, translate) : ''
      const next = found.length > rows.length ? (rows.at(-1)?.place ?? null) : null
      const lines = reportLines(withoutStrangers(caller, send, rows), caller.language, translate)
      return { csv: head + lines, next }
    },
  }
}
