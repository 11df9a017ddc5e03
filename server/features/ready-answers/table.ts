import type { FileKind } from '#shared/media/sent-files.ts'

interface ReadyAnswerTable {
  id: string
  org_id: string
  /** A person or key: the owner while it is not shared. */
  author_id: string
  /** 0/1 */
  shared: number
  shortcut: string
  title: string
  text: string
}

/** An attached file, at most one per answer. */
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
  /** The path in the media storage. */
  path: string
  /** Person or key. Null: stored by a version that did not record it. */
  brought_by: string | null
}

interface ReadyAnswerTables {
  ready_answer: ReadyAnswerTable
  ready_answer_file: ReadyAnswerFileTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends ReadyAnswerTables {}
}
