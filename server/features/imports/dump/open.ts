import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { forEachName } from '../reading/names.ts'
import { type Bytes, isZip, openZipFiles, type ZipFiles } from '../reading/zip-files.ts'
import { ImportStopped } from '../work/stopped.ts'
import { DumpReader, type OddRow } from './reader.ts'
import type { DumpRow } from './row.ts'
import { decoded } from './text.ts'

/** A dump of a database in plain form, and the files that came with it. */
export interface Dump {
  /** Rows of these tables in the order of the dump. `whole`: it is read to its end. @throws ImportStopped */
  rows(tables: readonly string[], options?: { readonly whole?: true }): AsyncGenerator<DumpRow | OddRow>
  /** After `rows` was read: the columns of a table, in lower case. Undefined: the dump has no such table. */
  columnsOf(table: string): ReadonlyMap<string, number> | undefined
  readonly files: Pick<ZipFiles, 'names' | 'sizeOf' | 'open'>
  close(): void
}

const zipLimits = { entries: 500_000, unpackedBytes: 256 * 1024 ** 3 }
/** Dumps shrink to a twentieth; what shrinks more than this is a bomb. */
const maxRatio = 400
const smallBytes = 64 * 1024 ** 2

const headOf = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  for await (const chunk of chunks) return chunk.subarray(0, 8)
  return new Uint8Array()
}
const isGzip = (head: Uint8Array) => head[0] === 0x1f && head[1] === 0x8b
/** True for a file made by `pg_dump --format=custom`. */
const isCustom = (head: Uint8Array) => Buffer.from(head).toString('latin1').startsWith('PGDMP')

/** @param uploaded bytes of the whole file, which may be a zip of it. @throws ImportStopped for one that is cut off, or a bomb */
async function* unzipped(chunks: AsyncIterable<Uint8Array>, uploaded: number): AsyncGenerator<Uint8Array> {
  let packed = 0
  const counted = async function* () {
    for await (const chunk of chunks) {
      packed += chunk.length
      yield chunk
    }
  }
  const from = Readable.from(counted(), { objectMode: false })
  const to = createGunzip()
  from.on('error', error => to.destroy(error))
  from.pipe(to)
  let unpacked = 0
  try {
    for await (const chunk of to) {
      unpacked += chunk.length
      if (unpacked > smallBytes && unpacked > Math.min(packed, uploaded) * maxRatio) throw new ImportStopped('zipSize')
      yield chunk
    }
  } catch (error) {
    if (error instanceof ImportStopped) throw error
    throw new ImportStopped('cutOff', { cause: error })
  } finally {
    from.destroy()
    to.destroy()
  }
}

/** The dump among the files of a zip: the largest, if there are several. */
const dumpAmong = async ({ names, sizeOf }: ZipFiles): Promise<string | undefined> => {
  let largest: { readonly name: string; readonly size: number } | undefined
  await forEachName(names, name => {
    if (!/\.sql(?:\.gz)?$|\.dump$/i.test(name)) return
    const size = sizeOf(name) ?? 0
    if (!largest || size > largest.size) largest = { name, size }
  })
  return largest?.name
}

/** An uploaded dump: as it is, packed with gzip, or in a zip with the files of its messages. @throws ImportStopped */
export async function openDump(bytes: Bytes): Promise<Dump> {
  const zip = (await isZip(bytes)) ? await openZipFiles(bytes, zipLimits) : undefined
  const named = zip && (await dumpAmong(zip))
  const read = (): AsyncIterable<Uint8Array> =>
    named === undefined ? bytes.read(0, bytes.size) : (zip?.open(named) as AsyncIterable<Uint8Array>)
  const close = () => zip?.close()
  let open = read
  try {
    if (zip && named === undefined) throw new ImportStopped('notDump')
    const head = await headOf(read())
    if (isCustom(head)) throw new ImportStopped('dumpFormat')
    if (isGzip(head)) open = () => unzipped(read(), bytes.size)
  } catch (error) {
    close()
    throw error
  }
  const tables = new Map<string, ReadonlyMap<string, number>>()
  return {
    async *rows(wanted, { whole } = {}) {
      const reader = new DumpReader(new Set(wanted))
      for await (const text of decoded(open())) {
        yield* reader.feed(text)
        if (!whole && reader.isDone) return
      }
      for (const [table, columns] of reader.tables) tables.set(table, columns)
      if (!tables.size) throw new ImportStopped('notDump')
      if (reader.isCutOff) throw new ImportStopped('cutOff')
    },
    columnsOf: table => tables.get(table),
    files: zip ?? { names: [], sizeOf: () => undefined, open: () => undefined },
    close,
  }
}
