import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, isAbsolute, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { randomHex } from '#server/platform/crypto/random.ts'

/*
 * The format of a backup, a gzip stream of:
 *   recado-backup 1\n
 *   {"path":"recado.db","size":4096,"mode":384}\n   one line of JSON per file, then its bytes,
 *   <4096 bytes>
 *   {"sha256":"…"}\n                                then the digest of those bytes
 *   …
 *   {"end":true,"files":3}\n
 * A truncated file lacks its end; a damaged one fails a digest or gzip's own check.
 */
const firstLine = 'recado-backup 1'

export interface ArchivedFile {
  /** Relative, with forward slashes. */
  readonly path: string
  readonly size: number
  readonly mode: number
}

export class BrokenArchive extends Error {
  override readonly name = 'BrokenArchive'
}

async function* bytesOf(files: readonly { path: string; from: string }[]): AsyncGenerator<Buffer> {
  yield Buffer.from(`${firstLine}\n`)
  for (const { path, from } of files) {
    const { size, mode } = await stat(from)
    yield Buffer.from(`${JSON.stringify({ path, size, mode: mode & 0o777 })}\n`)
    const hash = createHash('sha256')
    let written = 0
    if (size > 0)
      for await (const chunk of createReadStream(from, { start: 0, end: size - 1 })) {
        hash.update(chunk)
        written += chunk.length
        yield chunk
      }
    if (written !== size) throw new BrokenArchive(`${from} became shorter while it was read`)
    yield Buffer.from(`${JSON.stringify({ sha256: hash.digest('hex') })}\n`)
  }
  yield Buffer.from(`${JSON.stringify({ end: true, files: files.length })}\n`)
}

/** Writes an archive that only its owner may read. The file gets its name when everything is on disk and was read back. */
export async function writeArchive(
  to: string,
  files: readonly { path: string; from: string }[],
): Promise<ArchivedFile[]> {
  const partial = `${to}.${randomHex(4)}.part`
  try {
    await pipeline(bytesOf(files), createGzip({ level: 4 }), createWriteStream(partial, { mode: 0o600, flags: 'wx' }))
    const handle = await open(partial, 'r+')
    await handle.sync()
    await handle.close()
    const found = await readArchive(partial)
    await rename(partial, to)
    return found
  } finally {
    await rm(partial, { force: true })
  }
}

/** Reads lines and counted bytes from a stream, however it is chunked. */
class Pieces {
  #source: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)
  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }
  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw new BrokenArchive('the file ends too early')
    this.#held = this.#held.length ? Buffer.concat([this.#held, value]) : value
  }
  async line(): Promise<string> {
    const longest = 10_000
    for (;;) {
      const end = this.#held.indexOf(10)
      if (end >= 0) {
        const line = this.#held.subarray(0, end).toString('utf8')
        this.#held = this.#held.subarray(end + 1)
        return line
      }
      if (this.#held.length > longest) throw new BrokenArchive('this is no backup of Recado')
      await this.#more()
    }
  }
  /** @throws when anything follows. */
  async end(): Promise<void> {
    if (this.#held.length || !(await this.#source.next()).done) throw new BrokenArchive('something follows the end')
  }
  async *bytes(count: number): AsyncGenerator<Buffer> {
    for (let left = count; left > 0; ) {
      if (!this.#held.length) await this.#more()
      const piece = this.#held.subarray(0, left)
      this.#held = this.#held.subarray(piece.length)
      left -= piece.length
      yield piece
    }
  }
}

type Line = Partial<ArchivedFile> & { readonly sha256?: string; readonly end?: boolean; readonly files?: number }

const readLine = async (pieces: Pieces): Promise<Line> => {
  try {
    return JSON.parse(await pieces.line()) as Line
  } catch (cause) {
    if (cause instanceof SyntaxError) throw new BrokenArchive('the backup is damaged', { cause })
    throw cause
  }
}

/** Restored files are readable for this account only, whatever their mode was. */
const fileOf = ({ path, size, mode }: Line): ArchivedFile => {
  if (typeof path !== 'string' || !Number.isSafeInteger(size) || !Number.isSafeInteger(mode))
    throw new BrokenArchive('a file of the backup has no header')
  return { path: safePath(path), size: size as number, mode: (mode as number) & 0o700 }
}

/** Refuses names that lead out of the target folder. */
const safePath = (path: string) => {
  if (isAbsolute(path) || path.includes('\\') || path !== normalize(path) || path.split('/').includes('..'))
    throw new BrokenArchive(`the backup names a file outside: ${path}`)
  return path
}

/**
 * Reads an archive to its end and checks every digest; with `into`, unpacks it there. With `only`, unpacks that one file
 * and reads no further.
 * @throws BrokenArchive when anything is missing or differs.
 */
export async function readArchive(from: string, into?: string, only?: string): Promise<ArchivedFile[]> {
  const gunzip = createGunzip()
  const feeding = pipeline(createReadStream(from), gunzip)
  // The reader of the stream gets the error, too; this only avoids an unhandled rejection.
  feeding.catch(() => undefined)
  const found: ArchivedFile[] = []
  try {
    const pieces = new Pieces(gunzip as AsyncIterable<Buffer>)
    if ((await pieces.line()) !== firstLine) throw new BrokenArchive('this is no backup of Recado')
    for (;;) {
      const line = await readLine(pieces)
      if (line.end) {
        if (only !== undefined) throw new BrokenArchive(`the backup has no ${only}`)
        if (line.files !== found.length) throw new BrokenArchive('files are missing')
        break
      }
      const file = fileOf(line)
      await readFile(pieces, file, only === undefined || only === file.path ? into : undefined)
      found.push(file)
      if (only === file.path) {
        gunzip.destroy()
        await feeding.catch(() => undefined)
        return found
      }
    }
    await pieces.end()
    await feeding
    return found
  } catch (error) {
    gunzip.destroy()
    await feeding.catch(() => undefined)
    if (error instanceof BrokenArchive) throw error
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (code.startsWith('Z_')) throw new BrokenArchive('the file is damaged or is no backup', { cause: error })
    throw error
  }
}

const readFile = async (pieces: Pieces, file: ArchivedFile, into: string | undefined): Promise<void> => {
  const hash = createHash('sha256')
  const counted = async function* () {
    for await (const piece of pieces.bytes(file.size)) {
      hash.update(piece)
      yield piece
    }
  }
  if (into) {
    const to = join(into, file.path)
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await pipeline(counted(), createWriteStream(to, { mode: file.mode, flags: 'wx', flush: true }))
  } else for await (const _piece of counted());
  const { sha256 } = await readLine(pieces)
  if (sha256 !== hash.digest('hex')) throw new BrokenArchive(`${file.path} is damaged`)
}
