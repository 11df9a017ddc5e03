import type { Readable } from 'node:stream'
import type { Databases } from '#server/platform/db/db.ts'
import { csvLine } from '#server/platform/text/csv-line.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import {
  getSettings,
  listContacts,
  listFieldValues,
  listFiles,
  listMembers,
  listMessages,
  listTags,
  listTagsOf,
  listTeams,
  listTemplates,
} from './store.ts'
import type { ZipFile } from './zip.ts'

interface ContentsParts {
  readonly databases: Databases
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  /** The bytes of a stored file. Undefined: it does not exist. */
  readFile(path: string): Promise<Readable | undefined>
  /** Keeps files small enough for spreadsheets, and below 4 GB. */
  readonly rowsPerFile?: number
}

export interface Wanted {
  readonly orgId: string
  readonly language: Language
  readonly at: Date
}

const rowsAtOnce = 500
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

/** The path of a message's file in the archive. */
const filePath = (id: string, name: string | null): string => {
  const clean = (name ?? '')
    .toWellFormed()
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .slice(-80)
  return `media/${id}${clean ? `-${clean}` : ''}`
}

/** Reads rows page by page and yields in between. */
async function* walk<T, K>(
  turn: Databases['turn'],
  first: K,
  keyOf: (row: T) => K,
  page: (after: K) => Promise<T[]>,
): AsyncGenerator<T[]> {
  let after = first
  for (;;) {
    const rows = await page(after)
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    if (rows.length < rowsAtOnce) return
    after = keyOf(last)
    await turn.giveWay()
  }
}

/** Everything an organization has, as readable files. */
export function createContents({
  databases: { read: db, turn },
  translate,
  readFile,
  rowsPerFile = 100_000,
}: ContentsParts) {
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
    const pages = walk(
      turn,
      '',
      (row: Awaited<ReturnType<typeof listMembers>>[number]) => row.id,
      after => listMembers(db, orgId, after, rowsAtOnce),
    )
    for await (const rows of pages) yield rows.map(row => [row.name, row.email, effectiveRole(row.role), row.createdAt])
  }

  async function* teams({ orgId }: Wanted) {
    const rows = await listTeams(db, orgId, maxTeams)
    yield rows.map(row => [row.name, row.description ?? '', String(row.memberCount)])
  }

  async function* tags({ orgId }: Wanted) {
    const pages = walk(
      turn,
      '',
      (row: Awaited<ReturnType<typeof listTags>>[number]) => row.id,
      after => listTags(db, orgId, after, rowsAtOnce),
    )
    for await (const rows of pages) yield rows.map(row => [row.label])
  }

  async function* templates({ orgId }: Wanted) {
    const pages = walk(
      turn,
      '',
      (row: Awaited<ReturnType<typeof listTemplates>>[number]) => row.id,
      after => listTemplates(db, orgId, after, rowsAtOnce),
    )
    for await (const rows of pages)
      yield rows.map(row => [row.name, row.language, row.category, row.status, row.components])
  }

  async function* contacts({ orgId }: Wanted) {
    const pages = walk(
      turn,
      '',
      (row: Awaited<ReturnType<typeof listContacts>>[number]) => row.id,
      after => listContacts(db, orgId, after, rowsAtOnce),
    )
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

  /** Split into several files. Where one ends is known after it is written. */
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
    row.text,
    row.content ?? '',
    row.status,
    row.mediaId && row.mediaState === 'stored' ? filePath(row.mediaId, row.mediaName) : '',
  ]

  /** Split into several files. Where one ends is known after it is written. */
  async function* messages(wanted: Wanted): AsyncGenerator<ZipFile> {
    const { orgId } = wanted
    let after = 0
    let isDone = false
    const part = async function* () {
      for (let count = 0; count < rowsPerFile && !isDone; count += rowsAtOnce) {
        const rows = await listMessages(db, orgId, after, rowsAtOnce)
        isDone = rows.length < rowsAtOnce
        after = rows.at(-1)?.seq ?? after
        yield rows.map(lineOf)
        await turn.giveWay()
      }
    }
    for (let number = 1; !isDone; number += 1)
      yield { ...csv('messages', wanted, part()), name: `messages-${String(number).padStart(3, '0')}.csv` }
  }

  async function* files({ orgId }: Wanted): AsyncGenerator<ZipFile> {
    const pages = walk(
      turn,
      0,
      (row: Awaited<ReturnType<typeof listFiles>>[number]) => row.seq,
      after => listFiles(db, orgId, after, rowsAtOnce),
    )
    for await (const rows of pages)
      for (const { id, name, path, at } of rows) {
        const body = await readFile(path as string)
        if (body) yield { name: filePath(id, name), at: new Date(at), body, isText: false }
      }
  }

  return async function* contents(wanted: Wanted): AsyncGenerator<ZipFile> {
    const { orgId, language, at } = wanted
    const settings = await getSettings(db, orgId)
    const text = (name: string, body: string): ZipFile => ({ name, at, isText: true, body: [Buffer.from(body)] })
    const what = translate(language, 'exports:readme', { org: settings.name, at: at.toISOString() })
    yield text(translate(language, 'exports:readmeName'), what.replaceAll('\n', '\r\n'))
    yield text('organization.json', `${JSON.stringify(settings, null, 2)}\n`)
    for (const [table, rows] of Object.entries({ people, teams, tags, templates }))
      yield csv(table as Table, wanted, rows(wanted))
    yield* contactFiles(wanted)
    yield* messages(wanted)
    yield* files(wanted)
  }
}
