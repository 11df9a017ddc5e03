import type { Generated } from 'kysely'
import type { BlockReason, BulkSendState, HoldReason, RecipientState } from '#shared/bulk-sends/api.ts'

export interface BulkSendTable {
  id: string
  org_id: string
  connection_id: string
  template_id: string
  /** As it was when the send was created. */
  template: string
  /** What was asked for; null once its recipients are written. */
  request: string | null
  /** JSON: what whoever repeats it begins with; null: a test, or from before there was any. */
  recipe: string | null
  /** For people who read the report. */
  audience: string
  start_if_planned: number | null
  state: BulkSendState
  reason: BlockReason | null
  /** The person whose rights count; of a key the person's who made it. */
  creator_id: string
  /** The person or the key. */
  author_id: string
  author_name: string
  created_at: string
  /** When it starts, or was to start, by itself. */
  starts_at: string | null
  started_at: string | null
  ended_at: string | null
  /** When open pages were last told. */
  announced_at: string | null
  /** JSON */
  care: string | null
  /** When the others follow the first ones; null: the first ones are not through yet, or there are none. */
  waits_until: string | null
  /** Why a running one waits; null: it does not. */
  held_for: HoldReason | null
  held_until: string | null
  /** JSON: what there was of it when it was last begun or resumed. */
  judged_from: string | null
  /** So many of its people wanted no marketing afterwards. */
  opted_out: Generated<number>
  /** JSON: estimated when its people were written down; null: by no prices. */
  cost: string | null
  /** 0 or 1 */
  is_test: Generated<number>
  /** JSON: the kinds of tags its people had; null: not written down, or not known. */
  people_tags: string | null
  /** 0 or 1: who sends to tags only, and was granted those of all its people, sees it. */
  is_shared: Generated<number>
  planned: Generated<number>
  queued: Generated<number>
  sent: Generated<number>
  delivered: Generated<number>
  read: Generated<number>
  replied: Generated<number>
  failed: Generated<number>
  omitted: Generated<number>
}

export interface BulkRecipientTable {
  /** Also its message's, so that nobody ever gets two. */
  id: string
  org_id: string
  send_id: string
  /** In the order of the plan, from 0. */
  place: number
  /** Digits; what was given, of who is left out. */
  given: string
  name: string | null
  state: RecipientState
  reason: string | null
  /** Frozen with the plan; null of who is left out. */
  template_values: string | null
  /** Their own hours begin then; null: nobody has waited for them. */
  waits_until: string | null
  conversation_id: string | null
  handed_at: string | null
  /** When it was handed over as marketing. */
  marketing_at: string | null
  /** When they wanted no marketing any more, having had it. */
  opted_out_at: string | null
  changed_at: string | null
}

/** What an organization says that messages cost. */
export interface RateCardTable {
  org_id: string
  currency: string
  valid_from: string
  /** JSON */
  rates: string
  updated_at: string
}

/** Whom the organization wrote to first, outside their window, and when the last time. */
export interface OpenedPersonTable {
  org_id: string
  contact_id: string
  opened_at: string
}

/** How fast sends to many leave by a number, and of one that WhatsApp held back, how they went on from there. */
export interface BulkPaceTable {
  connection_id: string
  org_id: string
  /** As the organization has it; null: as usual. */
  set_per_second: number | null
  per_second: number
  slowed_at: string
}

/** An audience that is kept by a name. */
export interface AudienceSegmentTable {
  id: string
  org_id: string
  label: string
  /** JSON */
  filter: string
  created_at: string
}

/** A send that is being put together. */
export interface BulkDraftTable {
  id: string
  org_id: string
  /** The person whose draft it is; of a key the person's who made it. */
  creator_id: string
  author_name: string
  /** Whoever saved it last. */
  saver_name: string
  /** From 1, one more with each save. */
  revision: number
  /** JSON: what a list shows of it. */
  summary: string
  /** JSON: what stands in its steps. */
  steps: string
  /** Digits of the pasted numbers. */
  people: string
  saved_at: string
}

/** A piece of a long text that a send is asked for with; gone once its people are written down. */
export interface BulkSendTextTable {
  send_id: string
  org_id: string
  part: string
  /** From 0. */
  place: number
  text: string
}

export interface BulkSendTables {
  bulk_draft: BulkDraftTable
  bulk_send_text: BulkSendTextTable
  audience_segment: AudienceSegmentTable
  opened_person: OpenedPersonTable
  bulk_pace: BulkPaceTable
  rate_card: RateCardTable
  bulk_send: BulkSendTable
  bulk_recipient: BulkRecipientTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends BulkSendTables {}
}
