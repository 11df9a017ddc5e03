/** `snapshot.ts FILE`: the nightly backup, in a process of its own. Its last line is the outcome as JSON. */
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import type { Taken } from '#server/platform/snapshots/snapshots.ts'
import { fileKinds } from '#server/platform/storage/storage.ts'
import { BrokenArchive, readArchive } from './archive.ts'
import { backup } from './backup.ts'
import { Refusal } from './screen.ts'

type Counts = ReadonlyMap<string, number>

const countRows = (path: string): Counts => {
  const db = new Sqlite(path, { readonly: true })
  try {
    const names = db
      .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
      .pluck()
      .all() as string[]
    return new Map(
      names.map(name => [
        name,
        db
          .prepare(`select count(*) from "${name.replaceAll('"', '""')}"`)
          .pluck()
          .get() as number,
      ]),
    )
  } finally {
    db.close()
  }
}

const sizeBelow = async (folder: string): Promise<number> => {
  if (!existsSync(folder)) return 0
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  let bytes = 0
  for (const entry of entries) if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size
  return bytes
}

/** Space that is needed for a moment: the copy of the database, the backup, and the database unpacked again. */
const neededBytes = async (config: Config): Promise<number> => {
  const database = existsSync(config.databasePath) ? (await stat(config.databasePath)).size : 0
  const files = await Promise.all(fileKinds.map(kind => sizeBelow(join(config.dataDir, kind))))
  return 3 * database + files.reduce((sum, each) => sum + each, 0)
}

const checkOpened = (path: string, wanted: Counts): void => {
  const db = new Sqlite(path, { readonly: true })
  try {
    const verdict = db.pragma('integrity_check', { simple: true })
    const orphans = db.pragma('foreign_key_check') as unknown[]
    if (verdict !== 'ok' || orphans.length) throw new BrokenArchive(`${verdict}, ${orphans.length} orphaned rows`)
  } finally {
    db.close()
  }
  const found = countRows(path)
  for (const [table, rows] of wanted)
    if (found.get(table) !== rows) throw new BrokenArchive(`${table} has ${found.get(table)} rows of ${rows}`)
}

/** Makes the backup, unpacks its database, opens it and counts every table. */
async function takeSnapshot(config: Config, file: string): Promise<Taken> {
  const { bavail, bsize } = await statfs(dirname(file))
  const needed = await neededBytes(config)
  if (bavail * bsize < needed) return { fault: 'noRoom', reason: `${needed} bytes are needed, ${bavail * bsize} free` }
  const folder = await mkdtemp(join(dirname(file), '.recado-snapshot-'))
  try {
    let kept: Counts = new Map()
    await backup(config, file, copy => {
      kept = countRows(copy)
    })
    await readArchive(file, folder, 'recado.db')
    checkOpened(join(folder, 'recado.db'), kept)
    return { bytes: (await stat(file)).size, rows: [...kept.values()].reduce((sum, rows) => sum + rows, 0) }
  } catch (error) {
    const isDamage = error instanceof BrokenArchive || error instanceof Refusal
    return { fault: isDamage ? 'damaged' : 'failed', reason: error instanceof Error ? error.message : String(error) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename) {
  const [file] = process.argv.slice(2)
  if (file === undefined) throw new Error('Usage: snapshot.ts FILE')
  console.log(JSON.stringify(await takeSnapshot(readConfig(process.env), file)))
}
