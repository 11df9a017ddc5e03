import type { Generated } from 'kysely'

/** 0 waiting, 1 applied, 2 parked after repeated faults, 3 kept because no organization has connected the number. */
export const journalState = { waiting: 0, applied: 1, parked: 2, unknownNumber: 3 } as const

interface WebhookJournalTable {
  seq: Generated<number>
  connection_id: string | null
  received_at: string
  raw: Uint8Array
  state: number
  attempts: Generated<number>
  note: string | null
  /** @see lineOf */
  line: Generated<string>
  /** @see estimateMessages */
  messages: Generated<number>
}

/** The next item to apply of a webhook that takes several transactions, by its index. */
interface WebhookPlaceTable {
  seq: number
  place: number
}

/** Parsed items without a taker, identified by the journal's row and their index in it. */
interface UntakenItemTable {
  seq: number
  place: number
  org_id: string
  name: string
  /** JSON of a `WebhookItem`. */
  item: string
  at: string
}

interface IntakeTables {
  webhook_journal: WebhookJournalTable
  webhook_place: WebhookPlaceTable
  untaken_item: UntakenItemTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends IntakeTables {}
}
