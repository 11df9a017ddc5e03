/**
 * Tests what survives a power cut. `kill -9` cannot show it, because the kernel still writes its buffers. So the
 * journal is written under strace, and at every answer the files are rebuilt without the writes that no fsync followed.
 * Every answered webhook must be there. The same without fsync must lose some, otherwise the test measures nothing.
 * `node test/crash/power-cut.ts`, on Linux with strace.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrate } from '#server/platform/db/migrate.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { root } from '#test/helpers/sources.ts'

const groups = 20

type Write = { kind: 'write'; at: number; data: Buffer } | { kind: 'truncate'; size: number }

/** A file in two states: as guaranteed on disk, and with the kernel's unflushed writes. */
class DiskFile {
  durable: Buffer
  pending: Write[] = []
  constructor(content: Buffer) {
    this.durable = content
  }
  #synced = 0
  /** The number of writes so far, flushed or not. */
  get written() {
    return this.#synced + this.pending.length
  }
  /** Only this many had been written when the sync began. */
  sync(written = this.written) {
    const count = Math.max(0, written - this.#synced)
    for (const write of this.pending.slice(0, count)) this.durable = apply(this.durable, write)
    this.pending = this.pending.slice(count)
    this.#synced += count
  }
}

const apply = (content: Buffer, write: Write): Buffer => {
  if (write.kind === 'truncate')
    return Buffer.concat([content.subarray(0, write.size), Buffer.alloc(Math.max(0, write.size - content.length))])
  const grown = Buffer.alloc(Math.max(content.length, write.at + write.data.length))
  content.copy(grown)
  write.data.copy(grown, write.at)
  return grown
}

const bytesOf = (hex: string) => Buffer.from(hex.replaceAll('\\x', ''), 'hex')
const pwrite = /^pwrite64\(\d+<([^>]+)>, "((?:\\x[0-9a-f]{2})*)", \d+, (\d+)\)/
const sync = /^(?:fdatasync|fsync)\(\d+<([^>]+)>\)/
const beginOfSync = /^(?:fdatasync|fsync)\(\d+<([^>]+)>/
const truncate = /^ftruncate\(\d+<([^>]+)>, (\d+)\)/
const ack = /^write\(1<[^>]*>, "((?:\\x[0-9a-f]{2})*)"/

interface Verdict {
  readonly cuts: number
  /** How often the log was flushed to disk. */
  readonly syncs: number
  readonly lost: number
  readonly damaged: number
}

/** Opens the remaining files like the next start would. */
const survivors = (folder: string, files: ReadonlyMap<string, DiskFile>): Set<string> | undefined => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  for (const [path, file] of files) writeFileSync(join(folder, basename(path)), file.durable)
  try {
    const db = new Sqlite(join(folder, 'recado.db'))
    const isSound = db.pragma('integrity_check', { simple: true }) === 'ok'
    const rows = db.prepare('select raw from webhook_journal').pluck().all() as Buffer[]
    db.close()
    return isSound ? new Set(rows.map(raw => raw.toString('utf8'))) : undefined
  } catch {
    // It cannot even be opened.
    return undefined
  }
}

const cutEverywhere = (folder: string, trace: string, base: ReadonlyMap<string, Buffer>): Verdict => {
  const files = new Map([...base].map(([path, content]) => [path, new DiskFile(content)]))
  const fileAt = (path: string) => {
    const file = files.get(path) ?? new DiskFile(Buffer.alloc(0))
    files.set(path, file)
    return file
  }
  const answered: string[] = []
  const verdict = { cuts: 0, syncs: 0, lost: 0, damaged: 0 }
  const begun = new Map<string, { readonly text: string; readonly written?: number }>()
  for (const traced of trace.split('\n')) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(traced) ?? []
    const isBegun = rest.endsWith('<unfinished ...>')
    if (isBegun) {
      const text = rest.slice(0, -'<unfinished ...>'.length).trimEnd()
      const path = beginOfSync.exec(text)?.[1]
      begun.set(thread, path === undefined ? { text } : { text, written: fileAt(path).written })
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)
    const before = resumed ? begun.get(thread) : undefined
    const line = resumed ? (before?.text ?? '') + resumed[1] : rest
    const written = pwrite.exec(line)
    if (written)
      fileAt(written[1] as string).pending.push({
        kind: 'write',
        at: Number(written[3]),
        data: bytesOf(written[2] as string),
      })
    const cut = truncate.exec(line)
    if (cut) fileAt(cut[1] as string).pending.push({ kind: 'truncate', size: Number(cut[2]) })
    const synced = sync.exec(line)
    if (synced) fileAt(synced[1] as string).sync(before?.written)
    if (synced?.[1]?.endsWith('-wal')) verdict.syncs += 1
    const said = ack.exec(line)
    if (!said) continue
    answered.push(
      bytesOf(said[1] as string)
        .toString('utf8')
        .trim()
        .replace(/^ack /, ''),
    )
    verdict.cuts += 1
    const there = survivors(join(folder, 'cut'), files)
    if (!there) verdict.damaged += 1
    else if (answered.some(name => !there.has(name))) verdict.lost += 1
  }
  return verdict
}

const play = async (way: 'forced' | 'left'): Promise<Verdict> => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-power-'))
  try {
    const path = join(folder, 'recado.db')
    const databases = openDatabase(path)
    await migrate(databases.write)
    databases.raw.write.pragma('wal_checkpoint(TRUNCATE)')
    await databases.close()
    const base = new Map([[path, readFileSync(path)]])
    const trace = join(folder, 'trace')
    const calls = 'trace=pwrite64,write,fdatasync,fsync,ftruncate'
    const writer = join(root, 'test/crash/power-cut-writer.ts')
    const { error, stderr } = spawnSync(
      'strace',
      [
        '-f',
        '-y',
        '-xx',
        '-s',
        '1000000',
        '-e',
        calls,
        '-o',
        trace,
        process.execPath,
        writer,
        path,
        way,
        String(groups),
      ],
      { cwd: root },
    )
    if (error) throw new Error(`strace: ${stderr}`, { cause: error })
    // strace prints paths in hex, too, when asked for hex strings.
    const text = readFileSync(trace, 'utf8').replace(
      /<((?:\\x[0-9a-f]{2})+)>/g,
      (_all, hex: string) => `<${bytesOf(hex).toString('utf8')}>`,
    )
    return cutEverywhere(folder, text, base)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (spawnSync('strace', ['-V']).error) {
  console.log('– a power cut cannot be measured here: it takes Linux with strace (apt-get install strace)')
  console.log('0 passed, 0 failed')
  process.exit(0)
}
const forced = await play('forced')
const left = await play('left')
const sound = forced.cuts > 0 && forced.lost + forced.damaged === 0
const claims: readonly (readonly [string, boolean])[] = [
  [
    `a power cut after each of ${forced.cuts} answers: ${forced.damaged} damaged, ${forced.lost} lost what was answered`,
    sound,
  ],
  [
    `the ${groups} groups that came together cost ${forced.syncs} fsyncs`,
    forced.syncs >= groups && forced.syncs <= groups + 5,
  ],
  [`with the log left to the system it would show: ${left.lost} of ${left.cuts} lost what was answered`, left.lost > 0],
]
for (const [says, holds] of claims) console.log(`${holds ? '✓' : '✗'} ${says}`)
const failed = claims.filter(([, holds]) => !holds).length
console.log(`${claims.length - failed} passed, ${failed} failed`)
process.exitCode = failed ? 1 : 0
