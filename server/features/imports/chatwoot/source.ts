import { digitsOf, isBusinessScopedId, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'
import { tagLabelMaxChars } from '#shared/tags/api.ts'
import { nearestHue } from '../dump/hue.ts'
import { keepId } from '../dump/kept.ts'
import { recordLine, refusedLine } from '../dump/lines.ts'
import type { Dump } from '../dump/open.ts'
import type { DumpRow } from '../dump/row.ts'
import { createDumpSource, openWith, rankAccounts, readDumpLines } from '../dump/source.ts'
import { dumpTime } from '../dump/time.ts'
import { forEachName } from '../reading/names.ts'
import type { OpenOptions, OpenRecords, RecordLine, RecordSource } from '../reading/record-source.ts'
import { createMessages } from './messages.ts'
import { type ChatwootTables, readTables } from './tables.ts'

/** Rails keeps times in UTC, and PostgreSQL writes them without a zone. */
const zone = 'UTC'
const labelsAtMost = 100

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim().slice(0, 500) || undefined
    : undefined

const valuesIn = (json: string | null): Record<string, unknown> => {
  try {
    const value = JSON.parse(json ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

/** The paths of ActiveStorage's files in a zip, by their keys: `storage/ab/cd/abcd…`, or all in one folder. */
const placesOf = async ({ files }: Dump): Promise<ReadonlyMap<string, string>> => {
  const places = new Map<string, string>()
  await forEachName(files.names, name => void places.set(name.slice(name.lastIndexOf('/') + 1), name))
  return places
}

/** Files that were not copied: by the ids of their attachments. */
const filesAt = (tables: ChatwootTables, open: NonNullable<OpenOptions['openAddress']>): Dump['files'] => {
  const addressOf = (path: string) => tables.blobOf(path)?.address ?? undefined
  return {
    names: [],
    // Older versions do not say the size.
    sizeOf: path => (addressOf(path) === undefined ? undefined : (tables.blobOf(path)?.size ?? 0)),
    open(path) {
      const address = addressOf(path)
      return address === undefined ? undefined : open(address)
    },
  }
}

/**
 * A dump of Chatwoot's database by `pg_dump` in plain form, in a zip also with the files; or the same rows as the API
 * told them. @throws ImportStopped
 */
export const openChatwoot: OpenRecords = async (bytes, { account: wanted, signal, openAddress }) => {
  const { dump, tables } = await openWith(bytes, from => readTables(from, signal))
  const from = openAddress ? { ...dump, files: filesAt(tables, openAddress) } : dump
  return createSource(from, tables, wanted, await placesOf(from))
}

function createSource(
  dump: Dump,
  tables: ChatwootTables,
  wanted: string | undefined,
  places: ReadonlyMap<string, string>,
): RecordSource {
  const accounts = rankAccounts(tables.accounts, wanted)
  const account = accounts.chosen
  const isOurs = (row: DumpRow) => (row.get('account_id') ?? account.id) === account.id
  const inboxes = new Map([...tables.inboxes].filter(([, inbox]) => inbox.account === account.id))
  const fields = tables.fields.filter(({ account: of }) => of === account.id).slice(0, labelsAtMost)
  const ownKeys = new Set([...inboxes.values()].flatMap(({ phone }) => (phone ? [phoneKey(phone)] : [])))
  const messages = createMessages(tables, zone, key => places.get(key) ?? key)

  const linesIn = (table: string, make: (row: DumpRow) => Iterable<RecordLine>) =>
    readDumpLines(dump.rows([table]), isOurs, make)

  const phoneOf = (row: DumpRow, source: string | undefined) => {
    const digits = digitsOf(source?.replace(/@s\.whatsapp\.net$/, '') ?? '')
    const known = source && !/@(?:g\.us|lid)$/.test(source) && !isBusinessScopedId(source) ? digits : ''
    const phone = isPhoneDigits(known) ? known : digitsOf(row.get('phone_number') ?? '')
    return isPhoneDigits(phone) ? phone : undefined
  }

  /** The reason to leave out a group, a chat with oneself, or somebody whom WhatsApp does not know. */
  const refusalOf = (row: DumpRow) => {
    const source = tables.sourceOf(row.get('id') ?? '')
    if (/@g\.us$/.test(source ?? '') || /@g\.us$/.test(row.get('identifier') ?? '')) return 'group'
    const waId = phoneOf(row, source)
    if (waId !== undefined) return ownKeys.has(phoneKey(waId)) ? 'self' : undefined
    return source && isBusinessScopedId(source) ? undefined : 'noNumber'
  }

  const fieldsOf = (row: DumpRow) => {
    const values = valuesIn(row.get('custom_attributes'))
    const email = row.get('email')?.trim()
    return [
      ...(email ? [{ label: 'E-mail', value: email.slice(0, 500) }] : []),
      ...fields.flatMap(({ key, label }) => {
        const value = textOf(values[key])
        return value ? [{ label, value }] : []
      }),
    ].slice(0, labelsAtMost)
  }

  const contactOf = (row: DumpRow) => {
    const id = row.get('id') ?? ''
    const source = tables.sourceOf(id)
    const waId = phoneOf(row, source)
    const name = [row.get('name'), row.get('last_name')].filter(Boolean).join(' ').trim()
    const isName = /\p{L}/u.test(name)
    return {
      id,
      name: isName ? name.slice(0, 100).toWellFormed() : null,
      ...(waId === undefined ? { bsuid: source } : { waId }),
      note: tables.noteOf(id) ?? null,
      blockedAt: row.is('blocked') ? (dumpTime(row.get('updated_at'), zone) ?? null) : null,
      tags: tables
        .labelsOf(id)
        .slice(0, labelsAtMost)
        .map(label => label.slice(0, tagLabelMaxChars)),
      fields: fieldsOf(row),
    }
  }

  const seen = new Set<string>()
  const left = new Set<string>()
  const met = new Set<string>()

  const makers: { [K in Parameters<RecordSource['lines']>[0]]: () => AsyncGenerator<RecordLine> } = {
    async *numbers() {
      for (const [id, { phone, name, isWhatsApp }] of inboxes)
        if (isWhatsApp) yield recordLine({ table: 'inboxes', line: 0 }, { id, phone, label: name.slice(0, 200) })
    },
    async *people() {
      const members = tables.members.get(account.id)
      for (const [id, { name, email }] of tables.users)
        if (!members || members.has(id))
          yield recordLine({ table: 'users', line: 0 }, { id, name: name.slice(0, 200), email: email.slice(0, 320) })
    },
    async *tags() {
      for (const { account: of, title, color } of tables.labels)
        if (of === account.id)
          yield recordLine(
            { table: 'labels', line: 0 },
            { label: title.slice(0, tagLabelMaxChars), hue: nearestHue(color) },
          )
    },
    async *fields() {
      const labels = ['E-mail', ...fields.map(({ label }) => label)]
      for (const label of labels)
        yield recordLine({ table: 'custom_attribute_definitions', line: 0 }, { label, kind: 'text', options: [] })
    },
    contacts() {
      left.clear()
      met.clear()
      return linesIn('contacts', function* (row) {
        const id = row.get('id') ?? ''
        // Pages of the API that move on while they are read say some twice.
        if (met.has(id)) return
        keepId(met, id)
        const why = refusalOf(row)
        if (why) keepId(left, id)
        yield why ? refusedLine(row, why, row.get('name') ?? '') : recordLine(row, contactOf(row))
      })
    },
    conversations() {
      seen.clear()
      return linesIn('conversations', function* (row) {
        const [contact, inbox] = [row.get('contact_id') ?? '', row.get('inbox_id') ?? '']
        const chat = `${contact}/${inbox}`
        if (seen.has(chat)) return
        keepId(seen, chat)
        if (!inboxes.get(inbox)?.isWhatsApp) yield refusedLine(row, 'channel', inboxes.get(inbox)?.name ?? '')
        else if (!left.has(contact)) yield recordLine(row, { id: chat, contact, number: inbox })
      })
    },
    messages() {
      return linesIn('messages', function* (row) {
        const chat = tables.chatOf(row.get('conversation_id') ?? '')
        const [contact = '', inbox = ''] = chat?.split('/') ?? []
        // It is said once, of its chat.
        if (chat && (left.has(contact) || !inboxes.get(inbox)?.isWhatsApp)) return
        const text = (row.get('content') ?? '').slice(0, 80).toWellFormed()
        const records = chat && messages.recordsOf(row, chat)
        if (chat === undefined) yield refusedLine(row, 'orphan', text)
        else if (!records) yield refusedLine(row, 'date', text)
        else if (records === 'activity') yield refusedLine(row, 'notice', text)
        else {
          for (const record of records) yield recordLine(row, record)
          for (const name of messages.filesOfNote(row)) yield refusedLine(row, 'noteFile', name)
        }
      })
    },
  }

  return createDumpSource({ program: 'chatwoot', hasExactTimes: false, dump, tables, accounts, makers })
}
