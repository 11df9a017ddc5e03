import { RemoteTrouble } from './client.ts'
import { readText } from './json.ts'

/** The columns of Chatwoot's tables that its API answers. */
const columns = {
  accounts: ['id', 'name', 'created_at'],
  account_users: ['id', 'account_id', 'user_id'],
  users: ['id', 'name', 'display_name', 'email'],
  agent_bots: ['id', 'name'],
  inboxes: ['id', 'account_id', 'name', 'channel_type', 'channel_id'],
  channel_whatsapp: ['id', 'phone_number'],
  channel_twilio_sms: ['id', 'phone_number', 'medium'],
  labels: ['id', 'account_id', 'title', 'color'],
  tags: ['id', 'name'],
  taggings: ['taggable_type', 'taggable_id', 'tag_id'],
  custom_attribute_definitions: ['id', 'account_id', 'attribute_key', 'attribute_display_name', 'attribute_model'],
  contacts: [
    ...['id', 'account_id', 'name', 'last_name', 'email', 'phone_number', 'identifier'],
    ...['custom_attributes', 'blocked', 'updated_at'],
  ],
  contact_inboxes: ['contact_id', 'source_id'],
  notes: ['contact_id', 'content'],
  conversations: ['id', 'account_id', 'contact_id', 'inbox_id', 'cached_label_list'],
  messages: [
    ...['id', 'account_id', 'conversation_id', 'inbox_id', 'content', 'message_type', 'created_at', 'updated_at'],
    ...['private', 'status', 'source_id', 'content_attributes', 'sender_type', 'sender_id'],
  ],
  attachments: ['id', 'message_id', 'file_type', 'fallback_title', 'coordinates_lat', 'coordinates_long'],
  active_storage_attachments: ['record_type', 'record_id', 'blob_id'],
  active_storage_blobs: ['id', 'key', 'filename', 'content_type', 'byte_size', 'address'],
} as const
type Table = keyof typeof columns

/** The dump states its encoding first, because a text inside it may contain such a statement, too. */
export const spoolHead = "SET client_encoding = 'UTF8';\n"

/** A run stops after two million characters. The last answer may still be the longest, with every quote doubled. */
const rowsMaxChars = 16_000_000

const literal = (value: unknown): string => {
  const text = readText(value)
  return text === null ? 'NULL' : `'${text.replaceAll('\0', '').toWellFormed().replaceAll("'", "''")}'`
}

const statement = (table: Table, rows: readonly string[]): string =>
  `INSERT INTO ${table} (${columns[table].join(', ')}) VALUES ${rows.join(',')};\n`

/** Rows of Chatwoot's tables, written as a dump of them. */
export function createRows() {
  const rows = new Map<Table, string[]>()
  let chars = 0
  return {
    /** @throws RemoteTrouble */
    add<T extends Table>(table: T, row: Readonly<Partial<Record<(typeof columns)[T][number], unknown>>>): void {
      const cells = columns[table].map(name => literal((row as Readonly<Record<string, unknown>>)[name]))
      const text = `(${cells.join(',')})`
      chars += text.length
      if (chars > rowsMaxChars) throw new RemoteTrouble('odd')
      const own = rows.get(table)
      if (own) own.push(text)
      else rows.set(table, [text])
    },
    /** Adds a table without rows, so that a reader of the dump knows that there are none. */
    declare: (table: Table): void => void (rows.has(table) || rows.set(table, [])),
    get chars(): number {
      return chars
    },
    text: (): string => [...rows].map(([table, all]) => statement(table, all)).join(''),
  }
}

export type Rows = ReturnType<typeof createRows>
