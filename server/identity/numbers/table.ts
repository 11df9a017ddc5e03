import type { Generated } from 'kysely'
import type { ConnectionStatus } from '#shared/numbers/api.ts'

export interface WaConnectionTable {
  id: string
  org_id: string
  kind: 'cloud' | 'sandbox'
  phone_number_id: string
  waba_id: string
  phone: string
  verified_name: string | null
  access_token_sealed: string
  app_secret_sealed: string
  verify_token_sealed: string
  status: ConnectionStatus
  status_reason: string | null
  last_webhook_at: string | null
  created_at: string
  updated_at: string
  /** Let go then: its secrets are gone, and its conversations stay. Null: connected. */
  disconnected_at: string | null
  /** 1: its conversations stand in the inbox, which shows those of real numbers or the simulator's, never both. */
  is_listed: Generated<number>
  /** Its phone, where conversations have to say which number they belong to; null where there is one only. */
  shown_phone: string | null
  /** What the organization's people call it. */
  label: Generated<string | null>
  /** People it may write to first within a day; -1: however many. Null: Meta has not said. */
  messaging_limit: Generated<number | null>
  /** Among the organization's numbers, the first one's the lowest; equal ones in the order in which they came. */
  place: Generated<number>
}

/** How a number stood with Meta when it was last asked. */
export interface NumberStandingTable {
  connection_id: string
  org_id: string
  read_at: string
  /** JSON of `StandingFacts`. */
  facts: string
  /** The business's picture as a data address; null: none. */
  picture: string | null
}

export interface NumbersTables {
  wa_connection: WaConnectionTable
  number_standing: NumberStandingTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends NumbersTables {}
}
