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
  /** Disconnected then: secrets deleted, conversations kept. Null: connected. */
  disconnected_at: string | null
  /** 1: the inbox shows its conversations. It shows those of real numbers or of the simulator, never both. */
  is_listed: Generated<number>
  /** The phone number, if conversations must show their number; null if there is only one. */
  shown_phone: string | null
  /** The organization's own name for it. */
  label: Generated<string | null>
  /** People whom the number may write to first within a day; -1: no limit. Null: Meta has not said. */
  messaging_limit: Generated<number | null>
  /** Sort order; the lowest is the first number. Equal places sort by creation. */
  place: Generated<number>
}

/** Meta's facts about a number when they were last read. */
interface NumberStandingTable {
  connection_id: string
  org_id: string
  read_at: string
  /** JSON of `StandingFacts`. */
  facts: string
  /** The profile picture as a data URL; null: none. */
  picture: string | null
}

interface NumbersTables {
  wa_connection: WaConnectionTable
  number_standing: NumberStandingTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends NumbersTables {}
}
