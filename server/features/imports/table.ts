import type { Generated } from 'kysely'
import type { ImportFailure } from '#shared/imports/states.ts'

/** `undoing` is shown as `running`. `discarding` is not shown: a job deletes what is stored for it. */
export type StoredState =
  | 'uploading'
  | 'reading'
  | 'ready'
  | 'running'
  | 'paused'
  | 'done'
  | 'failed'
  | 'undoing'
  | 'undone'
  | 'discarding'

export interface ChatImportTable {
  id: string
  org_id: string
  source: string
  file_name: string | null
  /** A person's or key's id. */
  author_id: string
  author_name: string
  state: StoredState
  failure: ImportFailure | null
  /** Bytes of the whole file. Null until the first piece came. */
  size: number | null
  /** A `Remote` as JSON. Null: its file is uploaded. */
  remote: Generated<string | null>
  /** Encrypted. Null: there is none, or it is not needed any more. */
  token: Generated<string | null>
  received: Generated<number>
  /** A `StoredMapping` as JSON. */
  mapping: string
  /** An `ImportFound` as JSON. Null: not looked through. */
  found: string | null
  /** An `ImportTaken` as JSON. */
  taken: string
  /** JSON of a `Refused` without its lines. */
  refused: string
  /** Its lines as JSON. Null: they are in `refused`, as earlier versions wrote them. */
  refused_lines: Generated<string | null>
  /** Entries of the file that are done. */
  place: Generated<number>
  conversation_id: string | null
  contact_id: string | null
  /** A `BeforeImport` as JSON. */
  before: string | null
  created_at: string
  announced_at: string
  ended_at: string | null
}

export interface ChatImportPieceTable {
  import_id: string
  org_id: string
  /** Offset of its first byte in the file. */
  start: number
  file_id: string
  path: string
  size: number
}

/** A chat in the file of an import. */
export interface ChatImportChatTable {
  import_id: string
  org_id: string
  /** The id of the chat in the source. While the import is fetched it has leading zeros, so that the ids sort as numbers. */
  source: string
  name: string
  found: number
  found_sum: string
  kept: Generated<number>
  kept_sum: Generated<string>
  /** Messages that this import added. */
  brought: Generated<number>
  conversation_id: string | null
  contact_id: string | null
  /** A `BeforeImport` as JSON. */
  before: string | null
}

/** Conversations, contacts, tags and fields that an import created or changed. */
export interface ChatImportMadeTable {
  import_id: string
  org_id: string
  kind: 'tag' | 'field' | 'contact'
  /** Its id or label in the source. */
  source: string
  target: string
  /** An `AddedToContact` as JSON: the import added this to the contact. */
  added: string | null
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    chat_import: ChatImportTable
    chat_import_piece: ChatImportPieceTable
    chat_import_chat: ChatImportChatTable
    chat_import_made: ChatImportMadeTable
  }
}
