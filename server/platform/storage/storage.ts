import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pictureOf } from './picture.ts'

/** As many first bytes as tell what a file is. */
const headBytes = 1024
/** In so many stand the sides of a picture, also behind a profile of its colours and a small copy of itself. */
const sidesBytes = 64 * 1024
/** No format that is shown has a longer one; what says so lies. */
const longestSide = 65_535

export interface WrittenFile {
  /** Relative to the storage. */
  path: string
  size: number
  /** Lowercase hex. */
  sha256: string
  /** The first bytes, for telling the kind. */
  head: Buffer
  /** Sides of a picture that browsers show; absent: it is none, or does not say so in its beginning. */
  picture?: { readonly width: number; readonly height: number }
}

/** A part of a file, both ends included. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Where files are kept: a folder or a bucket. A file is there whole and durable, or not at all; paths are relative and
 * written with `/`. While the storage is away or full, everything throws APP_UNAVAILABLE with the seconds to wait.
 */
export interface FileStorage {
  /** Takes the stream as it comes. `check` may throw before the file can be seen; what fails leaves nothing behind. */
  write(
    path: string,
    body: AsyncIterable<Uint8Array>,
    check?: (file: WrittenFile) => void | Promise<void>,
  ): Promise<WrittenFile>
  /** The bytes, open when it resolves; undefined: there is no such file. */
  read(path: string, range?: ByteRange): Promise<Readable | undefined>
  /**
   * For what must know the length and read a file again: the blob reads from disk, and serves until `use` is over.
   * Answers `missing` when there is no such file.
   */
  withBlob<T>(path: string, use: (blob: Blob) => Promise<T>): Promise<T | 'missing'>
  /** One that is gone already is no fault. */
  remove(path: string): Promise<void>
  /** Removes everything below a folder. */
  removeBelow(folder: string): Promise<void>
  /** Every file, a page at a time, in no order. */
  list(): AsyncIterable<{ path: string; modifiedMs: number }[]>
  /** Removes what an earlier process left half written; of what another may be writing now, what was begun before then. */
  sweep(beforeMs?: number): Promise<void>
}

/** What files are kept apart by; each has its folder in `DATA_DIR`, or in the bucket. */
export const fileKinds = ['media', 'logos', 'pictures'] as const

/** The storages of one installation: what came and went in chats, organizations' logos, people's pictures. */
export type FileStorages = Readonly<Record<(typeof fileKinds)[number], FileStorage>>

/** What is told of a file while its bytes pass. */
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

/** Paths are made of ids. @throws for one that leads outside, or holds what no path of ours does */
export const requirePath = (path: string): string => {
  if (!/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)*$/.test(path)) throw new Error('A stored path leads outside its storage')
  return path
}
