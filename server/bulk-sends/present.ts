import type { BulkRecipient, BulkSend } from '#shared/bulk-sends.ts'
import type { ReportRow } from './recipient-store.ts'
import type { StoredSend } from './store.ts'

export const presentSend = (send: StoredSend): BulkSend => {
  const { id, name, language, category } = send.template
  return {
    id: send.id,
    template: { id, name, language, category },
    state: send.state,
    reason: send.reason,
    audience: { ...send.audience, tags: [...send.audience.tags] },
    counts: { ...send.counts },
    createdBy: send.authorName,
    createdAt: send.createdAt,
    startsAt: send.startsAt,
    startedAt: send.startedAt,
    endedAt: send.endedAt,
  }
}

export const presentRecipient = (row: ReportRow, failureText: (code: string) => string): BulkRecipient => ({
  id: row.id,
  given: row.given,
  name: row.name,
  state: row.state,
  reason:
    row.reason === null
      ? null
      : { code: row.reason, message: row.state === 'failed' ? failureText(row.reason) : row.reason },
  chat: row.conversation_id,
  at: row.changed_at,
})
