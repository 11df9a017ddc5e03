import type { Spill } from '#server/platform/db/sqlite/spill-store.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import { keep } from '../dump/kept.ts'
import type { Dump } from '../dump/open.ts'
import { readRows } from '../dump/read-rows.ts'
import type { DumpRow } from '../dump/row.ts'
import type { DumpAccount } from '../dump/source.ts'
import { withSpill } from '../dump/spill.ts'

/** The data that the rows of contacts, tickets and messages refer to. */
export interface WhaticketTables {
  /** Companies of forks that several rent; elsewhere one without a name. */
  readonly companies: readonly DumpAccount[]
  /** Connected phones, by id. `phone`: digits; empty: the dump does not say it. */
  readonly phones: ReadonlyMap<string, { readonly company: string; readonly name: string; readonly phone: string }>
  readonly users: ReadonlyMap<string, { readonly company: string; readonly name: string; readonly email: string }>
  readonly tags: ReadonlyMap<string, { readonly company: string; readonly name: string; readonly color: string | null }>
  /** Names of custom fields that contacts have. */
  readonly fields: ReadonlySet<string>
  /** Contact and phone of each ticket, `contact/phone`. */
  chatOf(ticket: string): string | undefined
  /** The labels of a contact and of its tickets. */
  labelsOf(contact: string): string[]
  valuesOf(contact: string): { readonly label: string; readonly value: string }[]
  close(): void
}

/** The phone of a ticket whose connection was deleted. */
export const noPhone = '0'
const referred = [
  ...['companies', 'users', 'whatsapps', 'tags', 'contacttags', 'tickettags', 'contactcustomfields', 'tickets'],
]
const required: Readonly<Record<string, readonly string[]>> = {
  contacts: ['id', 'number'],
  tickets: ['id', 'contactid'],
  messages: ['id', 'body', 'fromme', 'ticketid', 'createdat'],
}
const fieldsAtMost = 30
/** The most rows that are read: of one contact its last tickets, of one ticket its tags. */
const ticketsLooked = 100
const tagsLooked = 20
const valuesLooked = 100

/** The phone's own number: a column of some forks, else in the session that the library keeps. */
const phoneIn = (row: DumpRow): string => {
  const number = digitsOf(row.get('number') ?? '')
  if (isPhoneDigits(number)) return number
  return /"me"\s*:\s*\{[^{}]{0,200}?"(?:id|user)"\s*:\s*"(\d{7,15})[:@"]/.exec(row.get('session') ?? '')?.[1] ?? ''
}

/** Reads a dump once, to its end. @throws ImportStopped for one that is none of Whaticket's, or is cut off */
export const readTables = (dump: Dump, signal: AbortSignal): Promise<WhaticketTables> =>
  withSpill(spill => fill(dump, spill, signal))

async function fill(dump: Dump, spill: Spill, signal: AbortSignal): Promise<WhaticketTables> {
  const companies = new Map<string, { name: string; madeAt: string }>()
  const chats = new Map<string, number>()
  const phones = new Map<string, { company: string; name: string; phone: string }>()
  const users = new Map<string, { company: string; name: string; email: string }>()
  const tags = new Map<string, { company: string; name: string; color: string | null }>()
  const fields = new Set<string>()
  let firstMadeAt = ''

  const companyOf = (row: DumpRow) => row.get('companyId') ?? ''
  const takers: Readonly<Record<string, (row: DumpRow, id: string) => void>> = {
    companies: (row, id) => keep(companies, id, { name: row.get('name') ?? '', madeAt: row.get('createdAt') ?? '' }),
    users(row, id) {
      firstMadeAt ||= row.get('createdAt') ?? ''
      keep(users, id, { company: companyOf(row), name: row.get('name') ?? '', email: row.get('email') ?? '' })
    },
    whatsapps: (row, id) =>
      keep(phones, id, { company: companyOf(row), name: row.get('name') ?? '', phone: phoneIn(row) }),
    tags: (row, id) =>
      keep(tags, id, { company: companyOf(row), name: row.get('name') ?? '', color: row.get('color') }),
    contacttags(row) {
      const [contact, tag] = [row.get('contactId'), row.get('tagId')]
      if (contact && tag) spill.add('contactTag', contact, tag)
    },
    tickettags(row) {
      const [ticket, tag] = [row.get('ticketId'), row.get('tagId')]
      if (ticket && tag) spill.add('ticketTag', ticket, tag)
    },
    contactcustomfields(row) {
      const [contact, label, value] = [
        row.get('contactId'),
        row.get('name')?.trim().slice(0, 40),
        row.get('value')?.trim(),
      ]
      if (!contact || !label || !value || (!fields.has(label) && fields.size >= fieldsAtMost)) return
      fields.add(label)
      spill.add('value', contact, JSON.stringify({ label, value: value.slice(0, 500) }))
    },
    tickets(row, id) {
      const contact = row.get('contactId')
      if (!contact) return
      const company = companyOf(row)
      keep(chats, company, (chats.get(company) ?? 0) + 1)
      spill.set('ticket', id, `${contact}/${row.get('whatsappId') ?? noPhone}`)
      spill.add('ticketsOf', contact, id)
    },
  }

  await readRows(dump, signal, { tables: referred, required, takers })
  if (![...companies.keys()].some(id => chats.has(id))) {
    companies.clear()
    companies.set('', { name: '', madeAt: firstMadeAt })
  }
  return {
    companies: [...companies].map(([id, one]) => ({ id, ...one, chats: chats.get(id) ?? 0 })),
    phones,
    users,
    tags,
    fields,
    chatOf: ticket => spill.get('ticket', ticket),
    labelsOf(contact) {
      const tickets = spill.last('ticketsOf', contact, ticketsLooked)
      const ofTickets = tickets.flatMap(id => spill.last('ticketTag', id, tagsLooked))
      const ids = new Set([...spill.last('contactTag', contact, tagsLooked), ...ofTickets])
      return [...ids].flatMap(id => tags.get(id)?.name ?? [])
    },
    valuesOf: contact => spill.last('value', contact, valuesLooked).map(one => JSON.parse(one)),
    close: () => spill.close(),
  }
}
