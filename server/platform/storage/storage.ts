import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pictureOf } from './picture.ts'

/** First bytes that are needed to recognize a file's type. */
const headBytes = 1024
/** Bytes within which a picture states its dimensions, also after a colour profile and a thumbnail. */
const sidesBytes = 64 * 1024
/** No picture format that browsers show allows a longer side. */
const longestSide = 65_535

export interface WrittenFile {
  /** Relative to the storage. */
  path: string
  size: number
  /** Lowercase hex. */
  sha256: string
  /** The first bytes, to recognize the type. */
  head: Buffer
  /** Dimensions of a picture that browsers show; absent: it is none, or does not state them at its beginning. */
  picture?: { readonly width: number; readonly height: number }
}

/** A byte range, both ends included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * A folder or a bucket. A file exists completely and durably, or not at all. Paths are relative, with `/`. While the
 * storage is away or full, every function throws APP_UNAVAILABLE with the seconds to wait.
 */
export interface FileStorage {
  /** Stores a stream. `check` may throw before the file becomes visible; a failure leaves nothing behind. */
  write(
    path: string,
    body: AsyncIterable<Uint8Array>,
    check?: (file: WrittenFile) => void | Promise<void>,
  ): Promise<WrittenFile>
  /** An open stream of the bytes; undefined: there is no such file. */
  read(path: string, range?: ByteRange): Promise<Readable | undefined>
  /**
   * Calls `use` with a file that can be read twice and has a length. The blob reads from disk and is valid until `use`
   * ends. Returns `missing` if there is no such file.
   */
  withBlob<T>(path: string, use: (blob: Blob) => Promise<T>): Promise<T | 'missing'>
  /** Deleting a missing file is no error. */
  remove(path: string): Promise<void>
  /** Removes everything below a folder. */
  removeBelow(folder: string): Promise<void>
  /** Every file in pages, in no order. */
  list(): AsyncIterable<{ path: string; modifiedMs: number }[]>
  /** Deletes unfinished files of dead processes, and those begun before the given time, which another process may have left. */
  sweep(beforeMs?: number): Promise<void>
}

/** Each kind of file has its folder in `DATA_DIR` or in the bucket. */
export const fileKinds = ['media', 'logos', 'pictures'] as const

/** The storages of an installation: files of chats, organizations' logos, people's pictures. */
export type FileStorages = Readonly<Record<(typeof fileKinds)[number], FileStorage>>

/** Facts that are collected while a file is written. */
export function createMeter() {
  const hash = createHash('sha256')
  const first: Uint8Array[] = []
  let size = 0
  return {
    take(chunk: Uint8Array) {
      if (size < sidesBytes) first.push(chunk.slice(0, sidesBytes - size))
      hash.update(chunk)
      size += chunk.byteLength
    },
    facts(path: string): WrittenFile {
      const beginning = Buffer.concat(first)
      const sides = pictureOf(beginning)
      const picture = sides && Math.max(sides.width, sides.height) <= longestSide ? sides : undefined
      return {
        path,
        size,
        sha256: hash.digest('hex'),
        head: beginning.subarray(0, headBytes),
        ...(picture ? { picture: { width: picture.width, height: picture.height } } : {}),
      }
    },
  }
}

/** Checks a path, which is made of ids. @throws if it leads outside or contains other characters. */
export const requirePath = (path: string): string => {
  if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(path)) throw new Error('A stored path leads outside its storage')
  return path
}
