import type { Readable } from 'node:stream'
import {
  archivedFilePath,
  archiveFormat,
  archiveVersion,
  manifestName,
  recordFileName,
} from '#server/messaging/archive/format.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Language } from '#shared/kernel/language.ts'
import { createChatPages } from './archive/chat-pages.ts'
import { listReadyAnswers } from './archive/record-store.ts'
import { type Kind, recordKinds } from './archive/records.ts'
import { createTables } from './archive/tables.ts'
import { walk } from './archive/walk.ts'
import { getSettings, listFiles } from './store.ts'
import type { ZipFile } from './zip.ts'

interface ContentsParts {
  readonly databases: Databases
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  /** The bytes of a stored file. Undefined: it does not exist. */
  readFile(path: string): Promise<Readable | undefined>
  readTimeZone(orgId: string): Promise<string>
  /** Keeps files small enough for spreadsheets, and below 4 GB. */
  readonly rowsPerFile?: number
}

interface Wanted {
  /** Sees all of the organization. */
  readonly caller: OrgCaller
  readonly at: Date
  /** Called with the number of messages that were written to a table, a page or records. */
  readonly onMessages?: (count: number) => void
}

/** Everything an organization has: pages to read, tables, records as JSON, and files. */
export function createContents(parts: ContentsParts) {
  const { databases, translate, readFile, rowsPerFile = 100_000 } = parts
  const { read: db, turn } = databases
  const tables = createTables({ databases, translate, rowsPerFile })
  const chatPages = createChatPages(parts)

  /** Yields the files of one kind, with a JSON object on each line. The end of a file is known after it is written. */
  async function* recordFiles({ name, pages }: Kind, at: Date, counts: Record<string, number>) {
    const from = pages[Symbol.asyncIterator]()
    let page = await from.next()
    const part = async function* () {
      for (let count = 0; !page.done && count < rowsPerFile; page = await from.next()) {
        count += page.value.length
        counts[name] = (counts[name] ?? 0) + page.value.length
        yield Buffer.from(page.value.map(record => `${JSON.stringify(record)}\n`).join(''))
      }
    }
    counts[name] = 0
    for (let number = 1; number === 1 || !page.done; number += 1)
      yield { name: recordFileName(name, number), at, isText: true, body: part() } satisfies ZipFile
  }

  async function* files(orgId: string, at: Date): AsyncGenerator<ZipFile> {
    const ofMessages = walk<Awaited<ReturnType<typeof listFiles>>[number], number>(turn, {
      first: 0,
      keyOf: row => row.seq,
      page: (after, limit) => listFiles(db, orgId, after, limit),
    })
    for await (const rows of ofMessages)
      for (const { id, name, path, at } of rows) {
        const body = await readFile(path as string)
        if (body) yield { name: archivedFilePath(id, name), at: new Date(at), body, isText: false }
      }
    const ofAnswers = walk<Awaited<ReturnType<typeof listReadyAnswers>>[number], string>(turn, {
      first: '',
      keyOf: row => row.id,
      page: (after, limit) => listReadyAnswers(db, { orgId, after, limit }),
    })
    for await (const rows of ofAnswers)
      for (const { file_id: id, file_name: name, file_path: path } of rows) {
        const body = path === null ? undefined : await readFile(path)
        if (id && body) yield { name: archivedFilePath(id, name), at, body, isText: false }
      }
  }

  return async function* contents({ caller, at, onMessages = () => {} }: Wanted): AsyncGenerator<ZipFile> {
    const { orgId, language } = caller
    const settings = await getSettings(db, orgId)
    const text = (name: string, body: string): ZipFile => ({ name, at, isText: true, body: [Buffer.from(body)] })
    const what = translate(language, 'exports:readme', { org: settings.name, at: at.toISOString() })
    yield text(translate(language, 'exports:readmeName'), what.replaceAll('\n', '\r\n'))
    yield text('organization.json', `${JSON.stringify(settings, null, 2)}\n`)
    yield* tables({ orgId, language, at, onMessages })
    yield* chatPages({ caller, at, onMessages })
    const counts: Record<string, number> = {}
    for (const kind of recordKinds(databases, orgId, onMessages)) yield* recordFiles(kind, at, counts)
    yield* files(orgId, at)
    const organization = { id: orgId, name: settings.name, slug: settings.slug }
    const manifest = { format: archiveFormat, version: archiveVersion, madeAt: at.toISOString(), organization, counts }
    // Last, so that an archive that has it is complete.
    yield text(manifestName, `${JSON.stringify(manifest, null, 2)}\n`)
  }
}
