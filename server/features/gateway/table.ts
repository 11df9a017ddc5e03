/**
 * A message that a program sent through the gateway. Its statuses carry the id that the program was answered, and the
 * text that the program gave with it. Deleted with the message.
 */
interface GatewayMessageTable {
  /** The message's id; of a reaction, one of its own. */
  id: string
  org_id: string
  /** The message itself; of a reaction, its target. */
  message_id: string
  /** The text that statuses return to the program. Null: none. */
  callback_data: string | null
}

/** A file that a program uploaded through the gateway, for messages of the next thirty days. */
export interface GatewayFileTable {
  /** The id in Meta's form: digits. */
  id: string
  org_id: string
  mime: string
  name: string
  size: number
  /** Lowercase hex. */
  sha256: string
  path: string
  /** Its copy for headers of templates. Null: there is none. */
  header_file_id: string | null
  created_at: string
}

declare module '#server/platform/db/database.ts' {
  interface Database {
    gateway_message: GatewayMessageTable
    gateway_file: GatewayFileTable
  }
}
