import type { Generated } from 'kysely'

export interface MediaTable {
  id: string
  org_id: string
  message_id: string
  provider_id: string
  mime: string
  name: string | null
  size: number | null
  sha256: string | null
  state: 'pending' | 'stored' | 'failed'
  path: string | null
  /** Size of an image in pixels. Null: no image, or unknown. */
  width: number | null
  height: number | null
  /** Why fetching was given up. */
  error: string | null
  created_at: string
}

/** An uploaded file that nothing has taken yet. */
interface ReceivedFileTable {
  id: string
  org_id: string
  path: string
  /** Null while it is being written. */
  size: number | null
  /** Person or key. Null: stored by a version that did not record it. */
  brought_by: string | null
  created_at: string
}

/** Maintained by triggers on the tables of files. */
interface FileUseTable {
  org_id: string
  bytes: number
  noticed_percent: Generated<number>
}

/** WhatsApp's copy of a file, by content. */
interface UploadedFileTable {
  org_id: string
  connection_id: string
  sha256: string
  mime: string
  provider_id: string
  uploaded_at: string
}

interface MediaTables {
  media: MediaTable
  file_use: FileUseTable
  received_file: ReceivedFileTable
  uploaded_file: UploadedFileTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends MediaTables {}
}
