import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fromRandomAccessReader, RandomAccessReader, type Entry as ZipEntry, type ZipFile } from 'yauzl'
import { ImportStopped } from '../stopped.ts'

/** Bytes of an uploaded file. */
export interface Bytes {
  readonly size: number
  read(start: number, end: number): AsyncIterable<Uint8Array>
}

/** A chat with its files. */
export interface ChatSource {
  /** The chat's text. */
  openText(): Promise<AsyncIterable<Uint8Array>>
  /** Bytes of a file by its name. Undefined: it is not in the export. */
  sizeOf(name: string): number | undefined
  openFile(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  close(): void
}

const maxEntries = 50_000
/** Of all files, unpacked. */
const maxUnpackedBytes = 16 * 1024 ** 3
/** Text shrinks to a hundredth at most; a bomb to less than a thousandth. */
const maxRatio = 400
/** Of an entry below this size the ratio says nothing. */
const smallBytes = 1024 ** 2
const entriesPerTurn = 200
const modeOf = (entry: ZipEntry) => (entry.externalFileAttributes >>> 16) & 0o170000
const symlink = 0o120000

const nameKey = (name: string) => name.normalize('NFC')
/** Two names that are one file on a phone or a Mac. */
const collisionKey = (name: string) => nameKey(name).toLowerCase()
const baseName = (name: string) => name.slice(name.lastIndexOf('/') + 1)

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

/** The entry with the chat: `_chat.txt` of an iPhone, or the text that Android names after the chat. */
const chatAmong = (entries: Iterable<ZipEntry>): ZipEntry | undefined => {
  const texts = [...entries].filter(({ fileName }) => /\.txt$/i.test(fileName))
  return (
    texts.find(({ fileName }) => /(?:^|[/\s-])_chat\.txt$/i.test(fileName)) ??
    texts.find(({ fileName }) => /whatsapp/i.test(baseName(fileName))) ??
    (texts.length === 1 ? texts[0] : undefined)
  )
}

/** @throws ImportStopped for what a phone does not write: links, names that collide or lead elsewhere, bombs */
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

async function openArchive(bytes: Bytes): Promise<ChatSource> {
  const zip = await openZip(bytes).catch(error => {
    throw new ImportStopped('notZip', { cause: error })
  })
  const files = new Map<string, ZipEntry>()
  const seen = new Set<string>()
  let unpacked = 0
  for await (const entry of entriesOf(zip)) {
    checked(entry, seen)
    unpacked += entry.uncompressedSize
    if (seen.size > maxEntries || unpacked > maxUnpackedBytes) throw new ImportStopped('zipSize')
    if (!entry.fileName.endsWith('/')) files.set(nameKey(entry.fileName), entry)
  }
  const chat = chatAmong(files.values())
  if (!chat) throw new ImportStopped('noChat')
  const folder = chat.fileName.slice(0, chat.fileName.length - baseName(chat.fileName).length)
  const find = (name: string) => files.get(nameKey(folder + name))
  return {
    openText: async () => bytesOf(zip, chat),
    sizeOf: name => find(name)?.uncompressedSize,
    async openFile(name) {
      const entry = find(name)
      return entry && bytesOf(zip, entry)
    },
    close: () => zip.close(),
  }
}

/** Whether the first bytes are those of an archive. */
const isZip = (head: Uint8Array) => head[0] === 0x50 && head[1] === 0x4b && (head[2] === 3 || head[2] === 5)

const headOf = async (bytes: Bytes): Promise<Uint8Array> => {
  for await (const chunk of bytes.read(0, Math.min(4, bytes.size))) return chunk
  return new Uint8Array()
}

/** The chat in an uploaded file: an archive, or its text alone. @throws ImportStopped */
export async function openChatSource(bytes: Bytes): Promise<ChatSource> {
  if (isZip(await headOf(bytes))) return openArchive(bytes)
  return {
    openText: async () => bytes.read(0, bytes.size),
    sizeOf: () => undefined,
    openFile: async () => undefined,
    close() {},
  }
}
