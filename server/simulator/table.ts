import type { Generated } from 'kysely'

export interface SandboxNumberTable {
  org_id: string
  phone_number_id: string
  waba_id: string
  app_id: string
  phone: string
  verified_name: string
  token_hash: string
  app_secret_sealed: string
  connection_id: string | null
  subscribed: number
  behaviour: string
  aged_ms: number
  /** JSON of the business profile. */
  profile: Generated<string>
  signup_code_hash: Generated<string | null>
  signup_code_ms: Generated<number | null>
}

export interface SandboxCustomerTable {
  org_id: string
  wa_id: string
  bsuid: string
  name: string
  username: string | null
  online: number
  blocks_us: number
  blocked_by_us: number
  reads: number | null
  window_from_ms: number | null
  ad_at_ms: number | null
  entry_until_ms: number | null
  typing_until_ms: number | null
  seen_ms: number
  /** 0/1 */
  with_agent: Generated<number>
}

export interface SandboxMessageTable {
  seq: Generated<number>
  org_id: string
  wamid: string
  direction: 'in' | 'out'
  wa_id: string
  recipient: string | null
  type: string
  body: string
  callback: string | null
  status: string
  at_ms: number
}

export interface SandboxMediaTable {
  id: string
  org_id: string
  mime: string
  name: string | null
  size: number
  sha256: string
  expires_ms: number
  bytes: Buffer
}

interface SandboxFaultTable {
  seq: Generated<number>
  org_id: string
  code: string
  mode: 'sync' | 'async'
  remaining: number
}

export interface SandboxTemplateTable {
  id: string
  org_id: string
  name: string
  language: string
  status: string
  category: string
  previous_category: string | null
  parameter_format: 'POSITIONAL' | 'NAMED'
  components: string
  quality: string
  rejected_reason: string
  ttl_seconds: number | null
  pauses: number
  edits_ms: string
  review_ms: number | null
  deleted_ms: number | null
  created_ms: number
}

interface SandboxUploadTable {
  id: string
  org_id: string
  mime: string
  size: number
  handle: string | null
  created_ms: number
  /** Only of pictures that may become a profile picture. */
  bytes: Generated<Buffer | null>
}

/** The simulator's tables, which no other feature reads. */
interface SandboxTables {
  sandbox_number: SandboxNumberTable
  sandbox_customer: SandboxCustomerTable
  sandbox_message: SandboxMessageTable
  sandbox_media: SandboxMediaTable
  sandbox_fault: SandboxFaultTable
  sandbox_template: SandboxTemplateTable
  sandbox_upload: SandboxUploadTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends SandboxTables {}
}
