import type { Generated } from 'kysely'

export interface OutboxTable {
  seq: Generated<number>
  org_id: string
  conversation_id: string
  message_id: string | null
  kind: 'message' | 'read' | 'typing'
  target_wamid: string | null
  state: 'queued' | 'inFlight' | 'unknown' | 'done'
  attempts: number
  due_at: string
  updated_at: string
}

export interface MessageAttemptTable {
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

export interface OutboxTables {
  outbox: OutboxTable
  message_attempt: MessageAttemptTable
}
