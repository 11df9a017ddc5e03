import { archivedFilePath } from '#server/messaging/archive/format.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import {
  listContacts,
  listFieldValues,
  listMembers,
  listMessages,
  listTags,
  listTagsOf,
  listTeams,
  listTemplates,
} from '../store.ts'
import type { ZipFile } from '../zip.ts'
import { rowsAtOnce, walk } from './walk.ts'

interface TableParts {
  readonly databases: Databases
  translate(language: Language, key: string): string
  /** Keeps files small enough for spreadsheets. */
  readonly rowsPerFile: number
}

interface Wanted {
  readonly orgId: string
  readonly language: Language
  readonly at: Date
  readonly onMessages: (count: number) => void
}

const maxTeams = 1000
/** Byte order mark: makes spreadsheets read UTF-8. */
const mark = '\ufeff'

const columns = {
  people: ['name', 'email', 'role', 'since'],
  teams: ['name', 'description', 'members'],
  tags: ['name'],
  templates: ['name', 'language', 'category', 'status', 'components'],
  contacts: ['id', 'name', 'profile', 'username', 'number', 'tags', 'optOut', 'since', 'fields'],
  messages: [
    'conversation',
    'contact',
    'number',
    'at',
    'direction',
    'author',
    'type',
    'text',
    'content',
    'status',
    'file',
  ],
} as const
type Table = keyof typeof columns
// biome-ignore lint/suspicious/noExplicitAny: any listing function
type Row<List extends (...of: any) => Promise<readonly unknown[]>> = Awaited<ReturnType<List>>[number]

/** Makes tables of everything an organization has, which spreadsheets can open. */
export function createTables({ databases: { read: db, turn }, translate, rowsPerFile }: TableParts) {
  const head = (table: Table, language: Language) =>
    mark +
    csvLine(
      columns[table].map(name => translate(language, `exports:column.${name}`)),
      language,
    )

  /** A table as a file whose rows are read while it is written. */
  const csv = (table: Table, { language, at }: Wanted, pages: AsyncIterable<readonly string[][]>): ZipFile => ({
    name: `${table}.csv`,
    at,
    isText: true,
    body: (async function* () {
      yield Buffer.from(head(table, language))
      for await (const rows of pages) yield Buffer.from(rows.map(cells => csvLine(cells, language)).join(''))
    })(),
  })

  async function* people({ orgId }: Wanted) {
    const pages = walk<Row<typeof listMembers>, string>(turn, {
      first: '',
      keyOf: row => row.id,
      page: (after, limit) => listMembers(db, orgId, after, limit),
    })
    for await (const rows of pages) yield rows.map(row => [row.name, row.email, effectiveRole(row.role), row.createdAt])
  }

  async function* teams({ orgId }: Wanted) {
    const rows = await listTeams(db, orgId, maxTeams)
    yield rows.map(row => [row.name, row.description ?? '', String(row.memberCount)])
  }

  async function* tags({ orgId }: Wanted) {
    const pages = walk<Row<typeof listTags>, string>(turn, {
      first: '',
      keyOf: row => row.id,
      page: (after, limit) => listTags(db, orgId, after, limit),
    })
    for await (const rows of pages) yield rows.map(row => [row.label])
  }

  async function* templates({ orgId }: Wanted) {
    const pages = walk<Row<typeof listTemplates>, string>(turn, {
      first: '',
      keyOf: row => row.id,
      page: (after, limit) => listTemplates(db, orgId, after, limit),
    })
    for await (const rows of pages)
      yield rows.map(row => [row.name, row.language, row.category, row.status, row.components])
  }

  async function* contacts({ orgId }: Wanted) {
    const pages = walk<Row<typeof listContacts>, string>(turn, {
      first: '',
      keyOf: row => row.id,
      page: (after, limit) => listContacts(db, orgId, after, limit),
    })
    for await (const rows of pages) {
      const ids = rows.map(({ id }) => id)
      const byContact = Map.groupBy(await listTagsOf(db, orgId, ids), row => row.contact_id)
      const known = Map.groupBy(await listFieldValues(db, orgId, ids), row => row.contact_id)
      yield rows.map(row => [
        row.id,
        row.name ?? '',
        row.profile_name ?? '',
        row.username ?? '',
        row.wa_id ?? '',
        (byContact.get(row.id) ?? []).map(({ label }) => label).join(', '),
        row.opt_out ?? '',
        row.created_at,
        (known.get(row.id) ?? []).map(({ label, value }) => `${label}: ${value}`).join('\n'),
      ])
    }
  }

  /** Yields several files. The end of a file is known after it is written. */
  async function* contactFiles(wanted: Wanted): AsyncGenerator<ZipFile> {
    const pages = contacts(wanted)
    let page = await pages.next()
    const part = async function* () {
      for (let count = 0; !page.done && count < rowsPerFile; page = await pages.next()) {
        count += page.value.length
        yield page.value
      }
    }
    let number = 0
    do {
      number += 1
      yield { ...csv('contacts', wanted, part()), name: `contacts-${String(number).padStart(3, '0')}.csv` }
    } while (!page.done)
  }

  const lineOf = (row: Awaited<ReturnType<typeof listMessages>>[number]) => [
    row.conversation_id,
    row.name ?? row.profile_name ?? row.username ?? row.wa_id ?? '',
    row.wa_id ?? '',
    row.at,
    row.direction,
    row.author_name ?? '',
    row.type,
    // What a deleted message said is gone, as in the thread.
    row.revoked_at === null ? row.text : '',
    row.revoked_at === null ? (row.content ?? '') : '',
    row.status,
    row.mediaId && row.mediaState === 'stored' && row.revoked_at === null
      ? archivedFilePath(row.mediaId, row.mediaName)
      : '',
  ]

  /** Yields several files. The end of a file is known after it is written. */
  async function* messages(wanted: Wanted): AsyncGenerator<ZipFile> {
    const { orgId, onMessages } = wanted
    let after = 0
    let isDone = false
    const part = async function* () {
      for (let count = 0; count < rowsPerFile && !isDone; count += rowsAtOnce) {
        const rows = await listMessages(db, orgId, after, rowsAtOnce)
        isDone = rows.length < rowsAtOnce
        after = rows.at(-1)?.seq ?? after
        yield rows.map(lineOf)
        onMessages(rows.length)
        await turn.giveWay()
      }
    }
    for (let number = 1; !isDone; number += 1)
      yield { ...csv('messages', wanted, part()), name: `messages-${String(number).padStart(3, '0')}.csv` }
  }

  return async function* tables(wanted: Wanted): AsyncGenerator<ZipFile> {
    for (const [table, rows] of Object.entries({ people, teams, tags, templates }))
      yield csv(table as Table, wanted, rows(wanted))
    yield* contactFiles(wanted)
    yield* messages(wanted)
  }
}
