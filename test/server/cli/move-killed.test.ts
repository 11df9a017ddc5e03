/** `npm run move` as a process of its own that is killed in the middle, over and over. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import t from 'tap'
import { getOrCreateOrg } from '#server/cli/seed.ts'
import { seedVolume } from '#server/cli/seed-volume.ts'
import { indexSlice } from '#server/messaging/search/indexing.ts'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { handClock } from '#test/helpers/clock.ts'
import { postgresServer } from '#test/helpers/postgres.ts'
import { allRows, changedTables } from '#test/helpers/rows.ts'
import { root } from '#test/helpers/sources.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const server = await postgresServer()
const messages = 15_000

const folder = mkdtempSync(join(tmpdir(), 'recado-killed-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const original = join(folder, 'recado.db')

const sow = async () => {
  const databases = openDatabase(original)
  await migrate(databases.write)
  const org = await getOrCreateOrg(databases)
  seedVolume(databases, { orgId: org.id, conversations: 200, messages }, { clock: handClock() })
  while (await indexSlice(databases, 20));
  await databases.close()
}

const rowsOf = async (path: string) => {
  const databases = openDatabase(path)
  try {
    return await allRows(databases)
  } finally {
    await databases.close()
  }
}

/** How many messages the index of words has. */
const wordsIn = (path: string): number => {
  const file = new Sqlite(path, { readonly: true })
  try {
    return file.prepare('select count(*) from message_index_docsize').pluck().get() as number
  } finally {
    file.close()
  }
}

/** How many rows are copied of a table; -1: it was not begun. */
type Look = (table: string) => Promise<number>

interface Point {
  readonly table: string
  /** It is killed when so many of them are there. */
  readonly rows: number
}

const startMove = (target: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [join(root, 'server/cli/run.mjs'), 'server/cli/move.ts', target], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

const outcomeOf = async (child: ChildProcess): Promise<{ code: number | null; output: string }> => {
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', chunk => (output += chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, output }
}

/** Answers whether it was killed there and had not ended before. */
const killAt = async (child: ChildProcess, look: Look, { table, rows }: Point): Promise<boolean> => {
  const ended = outcomeOf(child)
  while (child.exitCode === null && (await look(table).catch(() => -1)) < rows) await pause(2)
  child.kill('SIGKILL')
  const { code, output } = await ended
  if (code !== null && code !== 0) throw new Error(output)
  return code === null
}

const pointsThere: readonly Point[] = [
  { table: 'contact', rows: 1 },
  { table: 'message', rows: 1_000 },
  { table: 'message', rows: messages },
]
const pointsBack: readonly Point[] = [
  { table: 'contact', rows: 1 },
  { table: 'message', rows: messages / 2 },
]

t.test('killed wherever it is, a move goes on to the same end, there and back', async t => {
  await sow()
  const before = readFileSync(original)
  const name = await server.createDatabase()
  const url = server.urlOf(name)
  const progressThere: Look = async table => {
    const rows = await server.run(`select row_count::int as n from move_progress where table_name = '${table}'`, name)
    return (rows[0]?.n as number | undefined) ?? -1
  }
  /** What a process that was killed has begun, the server ends when it notices. */
  const quiet = async () => {
    const look = `select count(*)::int as n from pg_stat_activity where datname = '${name}'`
    while ((await server.run(look))[0]?.n) await pause(20)
  }
  const there = { DATA_DIR: folder }
  let killed = 0
  for (const point of pointsThere) {
    if (await killAt(startMove(url, there), progressThere, point)) killed += 1
    await quiet()
  }
  t.equal(killed, pointsThere.length)
  const moved = await outcomeOf(startMove(url, there))
  t.match(moved, { code: 0, output: /compared with the original one by one/ })
  t.ok(readFileSync(original).equals(before), 'the original is untouched')
  t.equal((await server.run('select count(*)::int as n from message_index', name))[0]?.n, wordsIn(original))
  t.same(
    await server.run("select 1 from pg_tables where tablename = 'move_progress'", name),
    [],
    'nothing of the move is left',
  )
  await quiet()

  const path = join(folder, 'back.db')
  const progressBack: Look = async table => {
    const file = new Sqlite(`${path}.moving`, { readonly: true, fileMustExist: true })
    try {
      const found = file.prepare('select row_count from move_progress where table_name = ?').pluck().get(table)
      return (found as number | undefined) ?? -1
    } finally {
      file.close()
    }
  }
  const back = { DATA_DIR: folder, DATABASE_URL: url }
  killed = 0
  for (const point of pointsBack) {
    if (await killAt(startMove(`sqlite:${path}`, back), progressBack, point)) killed += 1
    t.notOk(existsSync(path), 'half a file has another name')
    await quiet()
  }
  t.equal(killed, pointsBack.length)
  t.match(await outcomeOf(startMove(`sqlite:${path}`, back)), { code: 0 })
  t.same(changedTables(await rowsOf(original), await rowsOf(path)), [])
})
