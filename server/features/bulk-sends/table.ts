import type { Generated } from 'kysely'
import type { Approval, BlockReason, BulkSendState, HoldReason, RecipientState } from '#shared/bulk-sends/states.ts'

export interface BulkSendTable {
  id: string
  org_id: string
  connection_id: string
  template_id: string
  /** The template when the send was created. */
  template: string
  /** Null: created before sends had names. */
  name: string | null
  /** The request. Null after its recipients are written. */
  request: string | null
  /** JSON of a `StoredRecipe`. Null: a test, or stored before this column existed. */
  recipe: string | null
  /** The description of the audience for the report. */
  audience: string
  start_if_planned: number | null
  state: BulkSendState
  reason: BlockReason | null
  /** The person whose rights count: the creator of the key, for a key. */
  creator_id: string
  /** The person or key. */
  author_id: string
  author_name: string
  created_at: string
  /** It starts, or was to start, automatically at this time. */
  starts_at: string | null
  started_at: string | null
  ended_at: string | null
  /** Open pages were last told of the progress at this time. */
  announced_at: string | null
  /** JSON */
  care: string | null
  /** The others follow the canary at this time. Null: the canary is not sent yet, or there is none. */
  waits_until: string | null
  /** Why a running send waits. Null: it does not. */
  held_for: HoldReason | null
  held_until: string | null
  /** JSON: outcomes when it last began or resumed. */
  judged_from: string | null
  /** Recipients who opted out afterwards. */
  opted_out: Generated<number>
  /** Null: none is needed. */
  approval: Approval | null
  /** Name of the person. */
  approved_by: string | null
  approved_at: string | null
  /** JSON: estimated when its recipients were written. Null: no prices. */
  cost: string | null
  /** 0 or 1 */
  is_test: Generated<number>
  /** JSON: tag sets of its recipients. Null: not written, or unknown. */
  people_tags: string | null
  /** 0 or 1: visible to members with limited tags that cover all recipients. */
  is_shared: Generated<number>
  planned: Generated<number>
  queued: Generated<number>
  sent: Generated<number>
  delivered: Generated<number>
  read: Generated<number>
  replied: Generated<number>
  unconfirmed: Generated<number>
  failed: Generated<number>
  omitted: Generated<number>
}

interface BulkRecipientTable {
  /** The recipient's id. It is also the message's id, so that nobody gets it twice. */
  id: string
  org_id: string
  send_id: string
  /** Position in the plan, from 0. */
  place: number
  /** Digits. For omitted ones, the typed text. */
  given: string
  name: string | null
  state: RecipientState
  reason: string | null
  /** Frozen with the plan. Null for omitted ones. */
  template_values: string | null
  /** Their local hours begin at this time. Null: it does not wait. */
  waits_until: string | null
  conversation_id: string | null
  handed_at: string | null
  /** It was handed over as marketing at this time. */
  marketing_at: string | null
  /** They opted out at this time, after they received it. */
  opted_out_at: string | null
  changed_at: string | null
}

/** Prices of messages, as the organization entered them. */
interface RateCardTable {
  org_id: string
  currency: string
  valid_from: string
  /** JSON */
  rates: string
  updated_at: string
}

/** An earlier price list. */
interface PastRateCardTable {
  org_id: string
  valid_from: string
  currency: string
  /** JSON */
  rates: string
}

/** People the organization wrote to first, outside their window, with the last time. */
interface OpenedPersonTable {
  org_id: string
  contact_id: string
  opened_at: string
}

/** The rate of bulk messages of a number, and its last slow-down by WhatsApp. */
interface BulkPaceTable {
  connection_id: string
  org_id: string
  /** Set by the organization. Null: the default. */
  set_per_second: number | null
  per_second: number
  slowed_at: string
}

/** A draft of a bulk send. */
interface BulkDraftTable {
  id: string
  org_id: string
  /** The person, or the creator of the key. */
  creator_id: string
  author_name: string
  /** The person who saved it last. */
  saver_name: string
  /** The revision, from 1, incremented with each save. */
  revision: number
  /** JSON for the list. */
  summary: string
  /** JSON of its steps. */
  steps: string
  /** Digits of pasted numbers. */
  people: string
  saved_at: string
}

/** A piece of a long text in a request. Deleted after the recipients are written. */
interface BulkSendTextTable {
  send_id: string
  org_id: string
  part: string
  /** The position from 0. */
  place: number
  text: string
}

/** Changes of a send's outcomes in a stretch of time. */
interface BulkSendCurveTable {
  send_id: string
  org_id: string
  /** The end of the stretch. */
  until: string
  sent: number
  delivered: number
  read: number
  replied: Generated<number>
  failed: number
}

interface BulkSendTables {
  bulk_send_curve: BulkSendCurveTable
  bulk_draft: BulkDraftTable
  bulk_send_text: BulkSendTextTable
  opened_person: OpenedPersonTable
  bulk_pace: BulkPaceTable
  rate_card: RateCardTable
  past_rate_card: PastRateCardTable
  bulk_send: BulkSendTable
  bulk_recipient: BulkRecipientTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends BulkSendTables {}
}
