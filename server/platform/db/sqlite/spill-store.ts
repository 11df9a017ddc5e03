import Sqlite from 'better-sqlite3'

/** Texts by kind and id, of which there are more than memory may hold. */
export interface Spill {
  set(kind: string, id: string, value: string): void
  get(kind: string, id: string): string | undefined
  /** Adds a text to those of this id. */
  add(kind: string, id: string, value: string): void
  /** The texts that were added last, in the order in which they were added. */
  last(kind: string, id: string, limit: number): string[]
  close(): void
}

/** A file of its own in SQLite's temporary folder; SQLite deletes it when it is closed or the process ends. */
const temporaryFile = ''
const cacheKibibytes = 16 * 1024

const pageBytes = 4096
/** A dump shrinks to a hundredth when it is packed, and its rows must not fill the disk. */
const mostPages = (8 * 1024 ** 3) / pageBytes

/** There is no more room for texts. */
export class SpillFull extends Error {}

export function openSpill(most = mostPages): Spill {
  const db = new Sqlite(temporaryFile)
  db.pragma(`page_size = ${pageBytes}`)
  db.pragma(`max_page_count = ${most}`)
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.pragma(`cache_size = -${cacheKibibytes}`)
  db.exec(
    'create table spilled (kind text, id text, place integer, value text, primary key (kind, id, place)) without rowid',
  )
  db.exec('begin')
  const insert = db.prepare('insert or replace into spilled (kind, id, place, value) values (?, ?, ?, ?)')
  const select = db.prepare('select value from spilled where kind = ? and id = ? and place = 0').pluck()
  const selectLast = db
    .prepare('select value from spilled where kind = ? and id = ? order by place desc limit ?')
    .pluck()
  const write = (...row: [kind: string, id: string, place: number, value: string]) => {
    try {
      insert.run(...row)
    } catch (error) {
      if (error instanceof Sqlite.SqliteError && error.code === 'SQLITE_FULL')
        throw new SpillFull('There is no more room for texts', { cause: error })
      throw error
    }
  }
  let added = 0
  return {
    set: (kind, id, value) => write(kind, id, 0, value),
    get: (kind, id) => select.get(kind, id) as string | undefined,
    add(kind, id, value) {
      added += 1
      write(kind, id, added, value)
    },
    last: (kind, id, limit) => (selectLast.all(kind, id, limit) as string[]).reverse(),
    close: () => void db.close(),
  }
}
