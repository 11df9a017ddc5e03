import { digitsOf, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'
import { tagLabelMaxChars } from '#shared/tags/api.ts'
import { nearestHue } from '../dump/hue.ts'
import { keepId } from '../dump/kept.ts'
import { recordLine, refusedLine } from '../dump/lines.ts'
import type { Dump } from '../dump/open.ts'
import type { DumpRow } from '../dump/row.ts'
import { createDumpSource, openWith, rankAccounts, readDumpLines } from '../dump/source.ts'
import { dumpTime } from '../dump/time.ts'
import { forEachName } from '../reading/names.ts'
import type { OpenRecords, RecordLine, RecordSource } from '../reading/record-source.ts'
import { createMessages } from './messages.ts'
import { noPhone, readTables, type WhaticketTables } from './tables.ts'

const labelsAtMost = 100
const emailLabel = 'E-mail'

/** The number in `5491155550303@c.us`. */
const localPart = (number: string): string => number.split('@', 1)[0] as string

interface Places {
  get(address: string): string | undefined
}

/** Files of the folder `public` in a zip, by their address below it, and by their name alone. */
const placesOf = async ({ files }: Dump): Promise<Places> => {
  const alone = new Map<string, string>()
  const below = new Map<string, string>()
  await forEachName(files.names, name => {
    alone.set(name.slice(name.lastIndexOf('/') + 1), name)
    const from = name.lastIndexOf('public/')
    if (from !== -1) below.set(name.slice(from + 'public/'.length), name)
  })
  return { get: address => below.get(address) ?? alone.get(address) }
}

/**
 * A dump of Whaticket's database, of MySQL, MariaDB or PostgreSQL; in a zip also with the folder `public`. Times that
 * MySQL writes say no zone: they are on the clock of the organization. @throws ImportStopped
 */
export const openWhaticket: OpenRecords = async (bytes, { account, timeZone, signal }) => {
  const { dump, tables } = await openWith(bytes, from => readTables(from, signal))
  return createSource(dump, tables, { account, timeZone, places: await placesOf(dump) })
}

function createSource(
  dump: Dump,
  tables: WhaticketTables,
  { account, timeZone, places }: { account: string | undefined; timeZone: string; places: Places },
): RecordSource {
  const accounts = rankAccounts(tables.companies, account)
  const company = accounts.chosen
  const isOf = ({ company: of }: { readonly company: string }) => company.id === '' || of === company.id
  const phones = new Map([...tables.phones].filter(([, phone]) => isOf(phone)))
  const ownKeys = new Set([...phones.values()].flatMap(({ phone }) => (phone ? [phoneKey(phone)] : [])))
  const pathOf = (address: string) =>
    places.get(address) ?? places.get(address.slice(address.lastIndexOf('/') + 1)) ?? address
  const messages = createMessages(tables, timeZone, pathOf)

  const linesIn = (names: readonly string[], make: (row: DumpRow) => Iterable<RecordLine>) =>
    readDumpLines(dump.rows(names), row => isOf({ company: row.get('companyId') ?? company.id }), make)

  const refusalOf = (row: DumpRow) => {
    const number = row.get('number') ?? ''
    if (row.is('isGroup') || /@g\.us|^\d{10,}-\d{10}$/.test(number)) return 'group'
    const digits = digitsOf(localPart(number))
    if (!isPhoneDigits(digits) || /@lid/.test(number)) return 'noNumber'
    return ownKeys.has(phoneKey(digits)) ? 'self' : undefined
  }

  const contactOf = (row: DumpRow) => {
    const id = row.get('id') ?? ''
    const name = row.get('name')?.trim() ?? ''
    const email = row.get('email')?.trim()
    return {
      id,
      waId: digitsOf(localPart(row.get('number') ?? '')),
      name: /\p{L}/u.test(name) ? name.slice(0, 100).toWellFormed() : null,
      blockedAt: row.is('blocked') ? (dumpTime(row.get('updatedAt'), timeZone) ?? null) : null,
      tags: tables
        .labelsOf(id)
        .slice(0, labelsAtMost)
        .map(label => label.slice(0, tagLabelMaxChars)),
      fields: [...(email ? [{ label: emailLabel, value: email.slice(0, 500) }] : []), ...tables.valuesOf(id)].slice(
        0,
        labelsAtMost,
      ),
    }
  }

  const seen = new Set<string>()
  const left = new Set<string>()

  const makers: { [K in Parameters<RecordSource['lines']>[0]]: () => AsyncGenerator<RecordLine> } = {
    async *numbers() {
      for (const [id, { phone, name }] of phones)
        yield recordLine({ table: 'whatsapps', line: 0 }, { id, phone, label: name.slice(0, 200) })
      if (!phones.has(noPhone))
        yield recordLine({ table: 'whatsapps', line: 0 }, { id: noPhone, phone: '', label: '?' })
    },
    async *people() {
      for (const [id, user] of tables.users)
        if (isOf(user))
          yield recordLine(
            { table: 'users', line: 0 },
            { id, name: user.name.slice(0, 200), email: user.email.slice(0, 320) },
          )
    },
    async *tags() {
      for (const tag of tables.tags.values())
        if (isOf(tag))
          yield recordLine(
            { table: 'tags', line: 0 },
            { label: tag.name.slice(0, tagLabelMaxChars), hue: nearestHue(tag.color) },
          )
    },
    async *fields() {
      for (const label of [emailLabel, ...tables.fields])
        yield recordLine({ table: 'contactcustomfields', line: 0 }, { label, kind: 'text', options: [] })
    },
    contacts() {
      left.clear()
      return linesIn(['contacts'], function* (row) {
        const why = refusalOf(row)
        if (why) keepId(left, row.get('id') ?? '')
        yield why ? refusedLine(row, why, row.get('name') ?? '') : recordLine(row, contactOf(row))
      })
    },
    conversations() {
      seen.clear()
      return linesIn(['tickets'], function* (row) {
        const contact = row.get('contactId') ?? ''
        const phone = row.get('whatsappId') ?? noPhone
        const chat = `${contact}/${phone}`
        if (seen.has(chat) || left.has(contact)) return
        keepId(seen, chat)
        yield recordLine(row, { id: chat, contact, number: phones.has(phone) ? phone : noPhone })
      })
    },
    messages() {
      return linesIn(['messages', 'ticketnotes'], function* (row) {
        const isNote = row.table === 'ticketnotes'
        const chat = tables.chatOf(row.get('ticketId') ?? '')
        // It is said once, of its contact.
        if (chat && left.has(chat.split('/')[0] ?? '')) return
        const text = (row.get(isNote ? 'note' : 'body') ?? '').slice(0, 80).toWellFormed()
        const record = chat && (isNote ? messages.noteOf(row, chat) : messages.recordOf(row, chat))
        if (chat === undefined) yield refusedLine(row, 'orphan', text)
        else yield record ? recordLine(row, record) : refusedLine(row, 'date', text)
      })
    },
  }

  return createDumpSource({ program: 'whaticket', hasExactTimes: true, dump, tables, accounts, makers })
}
