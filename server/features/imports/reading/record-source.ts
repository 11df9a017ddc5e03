import type { ArchiveRecord, readRecord } from '#server/messaging/archive/records.ts'
import type { Refusal } from '#shared/imports/states.ts'
import type { Bytes, ZipFiles } from './zip-files.ts'

/** Kinds that an import reads. */
export type RecordKind = Exclude<Parameters<typeof readRecord>[0], 'manifest'>

/** A line of a file of records. */
export interface RecordLine {
  readonly file: string
  readonly number: number
  readonly text: string
  /** Why it is left out; absent: it is a record. */
  readonly why?: Refusal
}

/** An account of a source that has several, of which one is imported. */
interface SourceAccount {
  readonly id: string
  readonly name: string
  readonly chats: number
}

/** Contacts, conversations and messages of another program as records of an archive, the same each time it is read. */
export interface RecordSource {
  readonly manifest: Pick<ArchiveRecord<'manifest'>, 'organization'> & { readonly madeAt: string | null }
  /** The imported account, and all accounts of the source. Absent: the source has one. */
  readonly accounts?: { readonly chosen: string; readonly all: readonly SourceAccount[] }
  /** False: the source says no checksums of its files, and those of messages are compared without. */
  readonly hasFileSums: boolean
  /** False: messages are compared by the second, because the same ones may come by a way that says no more. */
  readonly hasExactTimes: boolean
  lines(kind: RecordKind): AsyncGenerator<RecordLine>
  sizeOf: ZipFiles['sizeOf']
  openFile: ZipFiles['open']
  close(): void
}

export interface OpenOptions {
  /** The account that was chosen, if the source has several. */
  readonly account: string | undefined
  /** The time zone of times that name none. */
  readonly timeZone: string
  /** Files of the source lie at addresses, and this reads them. Absent: they came with it. */
  readonly openAddress?: (address: string) => AsyncIterable<Uint8Array>
  /** Reading ends with `ImportReleased` when it is aborted. */
  readonly signal: AbortSignal
}

export type OpenRecords = (bytes: Bytes, options: OpenOptions) => Promise<RecordSource>

/** The process is shutting down; another one continues. */
export class ImportReleased extends Error {}

/** A file of the source that is not there when it is read, or too large. */
export class FileMissing extends Error {
  readonly why: 'fileMissing' | 'fileTooLarge'

  constructor(why: FileMissing['why'], options?: ErrorOptions) {
    super(`A file of an import: ${why}`, options)
    this.why = why
  }
}
