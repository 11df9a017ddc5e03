import Sqlite from 'better-sqlite3'

/** Texts by kind and id, of which there are more than memory may hold. */
export interface Spill {
  set(kind: string, id: string, value: string): void
  /** Appends to what is there, with `joint` between. */
  add(kind: string, id: string, value: string, joint: string): void
  get(kind: string, id: string): string | undefined
  close(): void
}

/** A file of its own in SQLite's temporary folder; SQLite deletes it when it is closed or the process ends. */
const temporaryFile = ''
const cacheKibibytes = 16 * 1024

export function openSpill(): Spill {
  const db = new Sqlite(temporaryFile)
  db.pragma('journal_mode = off')
  db.pragma('synchronous = off')
  db.pragma(`cache_size = -${cacheKibibytes}`)
  db.exec('create table spilled (kind text, id text, value text, primary key (kind, id)) without rowid')
  db.exec('begin')
  const insert = db.prepare('insert or replace into spilled (kind, id, value) values (?, ?, ?)')
  const select = db.prepare('select value from spilled where kind = ? and id = ?').pluck()
  const get = (kind: string, id: string) => select.get(kind, id) as string | undefined
  const set = (kind: string, id: string, value: string) => void insert.run(kind, id, value)
  return {
    set,
    add(kind, id, value, joint) {
      const before = get(kind, id)
      set(kind, id, before === undefined ? value : `${before}${joint}${value}`)
    },
    get,
    close: () => void db.close(),
  }
}
