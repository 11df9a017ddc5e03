import type { HistoryKind } from '#shared/history/api.ts'

interface HistoryEntryTable {
  /** The id. For a bulk send, that of the send. */
  id: string
  org_id: string
  kind: HistoryKind
  /** A person or key. For a bulk send, the person whose rights it has. */
  author_id: string
  author_name: string
  /** 0/1: a bulk send, whose state is read from it. */
  is_send: number
  title: string
  summary: string
  /** Title and summary, folded. */
  search_text: string
  /** JSON */
  payload: string
  /** Chosen by the author. The same key again is the same entry. */
  client_key: string | null
  created_at: string
  /** The person removed it from the list at this time. */
  hidden_at: string | null
}

interface HistoryTables {
  history_entry: HistoryEntryTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends HistoryTables {}
}
