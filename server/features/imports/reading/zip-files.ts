import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fromRandomAccessReader, RandomAccessReader, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { ImportStopped } from '../work/stopped.ts'

/** Bytes of an uploaded file. */
export interface Bytes {
  readonly size: number
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

interface ZipLimits {
  readonly entries: number
  /** The size of all files, unpacked. */
  readonly unpackedBytes: number
}

/** The files of a zip by name. */
export interface ZipFiles {
  readonly names: readonly string[]
  /** Bytes, unpacked. Undefined: it is not in the zip. */
  sizeOf(name: string): number | undefined
  open(name: string): AsyncIterable<Uint8Array> | undefined
  close(): void
}

/** Text shrinks to a hundredth at most; a bomb to less than a thousandth. */
const maxRatio = 400
/** The compression ratio of an entry below this size says nothing. */
const smallBytes = 1024 ** 2
const entriesPerTurn = 200
const modeOf = (entry: ZipEntry) => (entry.externalFileAttributes >>> 16) & 0o170000
const symlink = 0o120000

const nameKey = (name: string) => name.normalize('NFC')
/** Two names that are one file on a phone or a Mac. */
const collisionKey = (name: string) => nameKey(name).toLowerCase()

class PiecesReader extends RandomAccessReader {
  readonly #bytes: Bytes

  constructor(bytes: Bytes) {
    super()
    this.#bytes = bytes
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.#bytes.read(start, end), { objectMode: false })
  }
}

const openZip = (bytes: Bytes): Promise<ZipFile> =>
  new Promise((resolve, reject) => {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: true, validateEntrySizes: true }
    fromRandomAccessReader(new PiecesReader(bytes), bytes.size, options, (error, zip) =>
      error ? reject(error) : resolve(zip),
    )
  })

/** `yauzl` says what is wrong with a name only in words. */
const failureOf = (error: Error) =>
  /invalid (?:relative path|characters in fileName)|absolute path/.test(error.message) ? 'zipName' : 'zipBroken'

/** Entries one by one. @throws ImportStopped */
async function* entriesOf(zip: ZipFile): AsyncGenerator<ZipEntry> {
  let settle: (entry: ZipEntry | undefined) => void = () => {}
  let fail: (error: Error) => void = () => {}
  zip.on('entry', (entry: ZipEntry) => settle(entry))
  zip.on('end', () => settle(undefined))
  zip.on('error', (error: Error) => fail(error))
  for (let count = 1; ; count += 1) {
    const entry = await new Promise<ZipEntry | undefined>((resolve, reject) => {
      settle = resolve
      fail = error => reject(new ImportStopped(failureOf(error), { cause: error }))
      zip.readEntry()
    })
    if (!entry) return
    yield entry
    if (count % entriesPerTurn === 0) await nextTurn()
  }
}

/** @throws ImportStopped for what no export has: links, names that collide or lead elsewhere, bombs */
const checked = (entry: ZipEntry, seen: Set<string>): void => {
  if (modeOf(entry) === symlink) throw new ImportStopped('zipLink')
  if (entry.isEncrypted()) throw new ImportStopped('zipEncrypted')
  const { uncompressedSize, compressedSize, fileName } = entry
  if (uncompressedSize > smallBytes && uncompressedSize > compressedSize * maxRatio) throw new ImportStopped('zipSize')
  const key = collisionKey(fileName)
  if (seen.has(key)) throw new ImportStopped('zipTwice')
  seen.add(key)
}

const openEntry = (zip: ZipFile, entry: ZipEntry): Promise<Readable> =>
  new Promise((resolve, reject) =>
    zip.openReadStream(entry, (error, stream) =>
      error ? reject(new ImportStopped('zipBroken', { cause: error })) : resolve(stream),
    ),
  )

/** Bytes of an entry. A damaged one ends the import with a sentence. */
async function* bytesOf(zip: ZipFile, entry: ZipEntry): AsyncGenerator<Uint8Array> {
  const stream = await openEntry(zip, entry)
  try {
    for await (const chunk of stream) yield chunk as Uint8Array
  } catch (error) {
    throw new ImportStopped('zipBroken', { cause: error })
  } finally {
    stream.destroy()
  }
}

/** @throws ImportStopped for a damaged or hostile zip */
export async function openZipFiles(bytes: Bytes, limits: ZipLimits): Promise<ZipFiles> {
  const zip = await openZip(bytes).catch(error => {
    throw new ImportStopped('notZip', { cause: error })
  })
  const files = new Map<string, ZipEntry>()
  const seen = new Set<string>()
  let unpacked = 0
  try {
    for await (const entry of entriesOf(zip)) {
      checked(entry, seen)
      unpacked += entry.uncompressedSize
      if (seen.size > limits.entries || unpacked > limits.unpackedBytes) throw new ImportStopped('zipSize')
      if (!entry.fileName.endsWith('/')) files.set(nameKey(entry.fileName), entry)
    }
  } catch (error) {
    zip.close()
    throw error
  }
  seen.clear()
  return {
    names: [...files.keys()],
    sizeOf: name => files.get(nameKey(name))?.uncompressedSize,
    open(name) {
      const entry = files.get(nameKey(name))
      return entry && bytesOf(zip, entry)
    },
    close: () => zip.close(),
  }
}

/** Judges by the first bytes. */
export async function isZip(bytes: Bytes): Promise<boolean> {
  for await (const chunk of bytes.read(0, Math.min(4, bytes.size)))
    return chunk[0] === 0x50 && chunk[1] === 0x4b && (chunk[2] === 3 || chunk[2] === 5)
  return false
}
