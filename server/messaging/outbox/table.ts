import type { Generated } from 'kysely'

interface MessageAttemptTable {
  seq: Generated<number>
  org_id: string
  message_id: string
  callback: string
  started_at: string
  ended_at: string | null
  outcome: string | null
  http_status: number | null
  error_code: string | null
  error_detail: string | null
  wamid: string | null
}

interface OutboxTables {
  message_attempt: MessageAttemptTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends OutboxTables {}
}
