import type { FileKind } from '#shared/media/sent-files.ts'

export interface ReadyAnswerTable {
  id: string
  org_id: string
  /** A person, or a key: whose it is while it is not shared. */
  author_id: string
  /** 0/1 */
  shared: number
  shortcut: string
  title: string
  text: string
}

/** What goes along with one; each has one at most. */
export interface ReadyAnswerFileTable {
  answer_id: string
  org_id: string
  id: string
  kind: Exclude<FileKind, 'sticker' | 'voice'>
  mime: string
  name: string
  size: number
  /** Lowercase hex. */
  sha256: string
  /** In the storage of media. */
  path: string
  /** Person or key; null: of a version that did not note it. */
  brought_by: string | null
}

export interface ReadyAnswerTables {
  ready_answer: ReadyAnswerTable
  ready_answer_file: ReadyAnswerFileTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends ReadyAnswerTables {}
}
