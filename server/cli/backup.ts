/** `npm run backup -- FILE`: backs up a running server into one verified file. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import Sqlite from 'better-sqlite3'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { fileKinds } from '#server/platform/storage/storage.ts'
import { type ArchivedFile, writeArchive } from './archive.ts'
import { personsPath, Refusal, readArguments, runProgram, sizeText } from './screen.ts'
import { copyToSqlite } from './transfer.ts'

/** Copies all pages in one step. With WAL, writers continue meanwhile; several steps would start over at each write. */
const copyDatabase = async (from: string, to: string): Promise<void> => {
  const source = new Sqlite(from, { fileMustExist: true, readonly: true })
  try {
    await source.backup(to, { progress: () => 2 ** 31 - 1 })
  } finally {
    source.close()
  }
}

/** Checks the copy and turns it into a single file without a log. */
const checkCopy = (to: string): void => {
  const copy = new Sqlite(to)
  try {
    copy.pragma('journal_mode = DELETE')
    const verdict = copy.pragma('integrity_check', { simple: true })
    const orphans = copy.pragma('foreign_key_check') as unknown[]
    if (verdict !== 'ok' || orphans.length)
      throw new Refusal(`The database is damaged: ${verdict}, ${orphans.length} orphaned rows`)
  } finally {
    copy.close()
  }
}

const filesBelow = async (folder: string): Promise<string[]> => {
  if (!existsSync(folder)) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

/**
 * Writes database, files and generated secret into one file and reads it back. The files are copied after the database,
 * so that every file that the copied rows name is included. The format is the same for both engines: PostgreSQL's rows of
 * one moment are copied into an SQLite file and compared.
 * @throws Refusal when there is nothing to back up, the file is there already, or the database is damaged.
 */
export async function backup(
  config: Config,
  file: string,
  /** Checks the copy of the database before it is added to the file. */
  look: (copy: string) => void = () => undefined,
): Promise<ArchivedFile[]> {
  if (!config.postgres && !existsSync(config.databasePath))
    throw new Refusal(`There is no database at ${config.databasePath}. Is DATA_DIR right?`)
  if (existsSync(file)) throw new Refusal(`${file} is there already; name another file`)
  await mkdir(dirname(file), { recursive: true })
  const folder = await mkdtemp(join(dirname(file), '.recado-backup-'))
  try {
    const copy = join(folder, 'recado.db')
    if (config.postgres)
      await copyToSqlite(config.postgres, copy, { source: config.databaseName, isAtWork: true, wantsWords: false })
    else await copyDatabase(config.databasePath, copy)
    checkCopy(copy)
    look(copy)
    const secret = join(config.dataDir, 'secret')
    const named = (from: string) => ({ path: relative(config.dataDir, from).replaceAll('\\', '/'), from })
    const files = await Promise.all(fileKinds.map(kind => filesBelow(join(config.dataDir, kind))))
    return await writeArchive(file, [
      { path: 'recado.db', from: copy },
      ...(existsSync(secret) ? [{ path: 'secret', from: secret }] : []),
      ...files.flat().map(named),
    ])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] === import.meta.filename)
  await runProgram(async () => {
    const { rest } = readArguments()
    if (rest.length !== 1) throw new Refusal('Usage: npm run backup -- FILE')
    const config = readConfig(process.env)
    const file = personsPath(rest[0] as string)
    const files = await backup(config, file)
    const { size } = await stat(file)
    const raw = files.reduce((sum, each) => sum + each.size, 0)
    console.log(`${file}: ${files.length} files, ${sizeText(raw)} in ${sizeText(size)}, read back and verified.`)
    console.log('It holds every conversation and the key to your tokens: keep it where only you can read it.')
    if (config.s3)
      console.log(
        `Files lie in the bucket "${config.s3.bucket}" and are not in it: keep versions there, or a copy of it.`,
      )
    if (config.authSecret) console.log('AUTH_SECRET comes from the environment and is not in it: keep that too.')
  })
