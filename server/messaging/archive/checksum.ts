import { createHash } from 'node:crypto'

/** The checked fields of a message: time, direction, text, edit, deletion and the hash of its file. */
interface CheckedMessage {
  readonly at: string
  readonly direction: string
  readonly text: string
  readonly editedAt: string | null
  readonly deletedAt: string | null
  /** Lowercase hex. Null: it has no file, or the file is not there. */
  readonly sha256: string | null
}

const modulo = 2n ** 64n

/** A message as sources agree on it that keep times in seconds, and no times of edits and deletions. */
export const inSeconds = (message: CheckedMessage): CheckedMessage => ({
  ...message,
  at: message.at.slice(0, 19),
  editedAt: message.editedAt && 'edited',
  deletedAt: message.deletedAt && 'deleted',
})

/** The first 64 bits of SHA-256. */
export const checksumOf = ({ at, direction, text, editedAt, deletedAt, sha256 }: CheckedMessage): bigint =>
  createHash('sha256')
    .update(JSON.stringify([at, direction, text, editedAt, deletedAt, sha256]))
    .digest()
    .readBigUInt64BE()

/** Checksums of messages added up: the order of the messages does not matter. */
export const addChecksums = (a: bigint, b: bigint): bigint => (a + b) % modulo

/** The checksum as it is stored and shown: 16 hexadecimal digits. */
export const checksumText = (sum: bigint): string => sum.toString(16).padStart(16, '0')
export const readChecksum = (text: string): bigint => BigInt(`0x${text}`)
