import type { FrozenTemplate } from '#server/messaging/templates/freezing.ts'
import type { BulkSendCare } from '#shared/bulk-sends/care.ts'
import type { BulkCost } from '#shared/bulk-sends/plan.ts'
import {
  type Approval,
  type BlockReason,
  type BulkSendState,
  type HoldReason,
  type RecipientState,
  recipientStates,
} from '#shared/bulk-sends/states.ts'
import type { PeopleTags } from './rights/people-tags.ts'
import type { BulkSendTable } from './table.ts'

export type Counts = Readonly<Record<RecipientState, number>>

/** The audience as shown in the report. */
export interface AudienceSummary {
  readonly tags: readonly string[]
  readonly match: 'any' | 'all' | null
  readonly hasNumbers: boolean
  readonly hasFile: boolean
  /** Name of the segment. */
  readonly segment: string | null
  /** The template of the send that they did not answer. */
  readonly unansweredOf: string | null
  /** The template of the send to the same people. */
  readonly againOf: string | null
  /** It answers one conversation, which its creator saw. */
  readonly isOneChat?: true
}

/** Value of `startIfPlanned` that starts with any number of recipients. */
export const anyCount = 0

/** A send's outcomes at one moment. */
export interface Judged {
  /** Recipients with a known outcome. */
  readonly settled: number
  readonly failed: number
  readonly optedOut: number
  /** The template's quality, in Meta's words. */
  readonly quality: string | null
  /** The person who resumed it knew that Meta had changed its category to marketing. */
  readonly knowsMarketing?: boolean
}

export interface StoredSend {
  readonly id: string
  readonly orgId: string
  readonly connectionId: string
  readonly templateId: string
  readonly template: FrozenTemplate
  readonly name: string
  readonly audience: AudienceSummary
  readonly startIfPlanned: number | null
  readonly state: BulkSendState
  readonly reason: BlockReason | null
  readonly creatorId: string
  readonly authorId: string
  readonly authorName: string
  readonly createdAt: string
  readonly startsAt: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
  readonly announcedAt: string | null
  readonly counts: Counts
  readonly optedOut: number
  /** The estimated cost when its recipients were written. Null: no prices were entered. */
  readonly cost: BulkCost | null
  /** It goes to its creator's own number only. */
  readonly isTest: boolean
  readonly peopleTags: PeopleTags
  /** Members with limited tags see it too. */
  readonly isShared: boolean
  /** A second person's. Null: none is needed. */
  readonly approval: { readonly state: Approval; readonly by: string | null; readonly at: string | null } | null
  readonly care: BulkSendCare
  readonly waitsUntil: string | null
  /** Why a running send waits, and until when. */
  readonly held: { readonly why: HoldReason; readonly until: string } | null
  /** Outcomes since then are judged. */
  readonly judgedFrom: Judged
}

/** The value for sends stored before this column existed. */
const noCare: BulkSendCare = {
  canary: null,
  hours: null,
  limits: { failedPercent: null, optedOutPercent: null },
  marketingCap: null,
}
const fromTheStart: Judged = { settled: 0, failed: 0, optedOut: 0, quality: null }

/** The columns that `toSend` reads. */
export const sendColumns = [
  'id',
  'org_id',
  'connection_id',
  'template_id',
  'template',
  'name',
  'audience',
  'start_if_planned',
  'state',
  'reason',
  'creator_id',
  'author_id',
  'author_name',
  'created_at',
  'starts_at',
  'started_at',
  'ended_at',
  'announced_at',
  'care',
  'waits_until',
  'judged_from',
  'held_for',
  'held_until',
  'opted_out',
  'cost',
  'is_test',
  'approval',
  'approved_by',
  'approved_at',
  'people_tags',
  'is_shared',
  ...recipientStates,
] as const

export type SendRow = Omit<
  BulkSendTable,
  'request' | 'recipe' | 'opted_out' | 'is_test' | 'is_shared' | RecipientState
> &
  Counts & { opted_out: number; is_test: number; is_shared: number }

export const toSend = (row: SendRow): StoredSend => {
  const template: FrozenTemplate = JSON.parse(row.template)
  return {
    id: row.id,
    orgId: row.org_id,
    connectionId: row.connection_id,
    templateId: row.template_id,
    template,
    name: row.name ?? template.name,
    audience: { segment: null, unansweredOf: null, againOf: null, ...JSON.parse(row.audience) },
    startIfPlanned: row.start_if_planned,
    state: row.state,
    reason: row.reason,
    creatorId: row.creator_id,
    authorId: row.author_id,
    authorName: row.author_name,
    createdAt: row.created_at,
    startsAt: row.starts_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    announcedAt: row.announced_at,
    counts: Object.fromEntries(recipientStates.map(state => [state, row[state]])) as Counts,
    optedOut: row.opted_out,
    cost: row.cost === null ? null : JSON.parse(row.cost),
    isTest: row.is_test === 1,
    peopleTags: row.people_tags === null ? null : JSON.parse(row.people_tags),
    isShared: row.is_shared === 1,
    care: row.care === null ? noCare : { ...noCare, ...JSON.parse(row.care) },
    approval: row.approval && { state: row.approval, by: row.approved_by, at: row.approved_at },
    waitsUntil: row.waits_until,
    held: row.held_for && row.held_until ? { why: row.held_for, until: row.held_until } : null,
    judgedFrom: row.judged_from === null ? fromTheStart : JSON.parse(row.judged_from),
  }
}
