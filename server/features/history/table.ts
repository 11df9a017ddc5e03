import type { HistoryKind } from '#shared/history/api.ts'

export interface HistoryEntryTable {
  /** Of a bulk send its own. */
  id: string
  org_id: string
  kind: HistoryKind
  /** A person, or a key; of a bulk send the person whose rights count. */
  author_id: string
  author_name: string
  /** 0/1: a bulk send, which says itself what became of it. */
  is_send: number
  title: string
  summary: string
  /** Title and summary, folded. */
  search_text: string
  /** JSON */
  payload: string
  /** Chosen by whoever wrote it: the same again is the same entry. */
  client_key: string | null
  created_at: string
  /** When somebody took it out of the list. */
  hidden_at: string | null
}

export interface HistoryTables {
  history_entry: HistoryEntryTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends HistoryTables {}
}
