import type { ConnectionStatus } from '#shared/numbers.ts'

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
}

export interface NumbersTables {
  wa_connection: WaConnectionTable
}
