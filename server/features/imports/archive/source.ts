import { archiveVersion, manifestName } from '#server/messaging/archive/format.ts'
import { type ArchiveRecord, readRecord } from '#server/messaging/archive/records.ts'
import { forEachName } from '../reading/names.ts'
import type { RecordKind, RecordSource } from '../reading/record-source.ts'
import { type Bytes, isZip, openZipFiles, type ZipFiles } from '../reading/zip-files.ts'
import { readLines } from '../whatsapp/lines.ts'
import { ImportStopped } from '../work/stopped.ts'

const limits = { entries: 500_000, unpackedBytes: 256 * 1024 ** 3 }
/** No record of ours is longer; the rest of a longer line is not held in memory. */
export const recordMaxChars = 1024 ** 2
const recordFile = /^records\/([A-Za-z]+)-\d{3,}\.jsonl$/
/** Sorted in one turn of the event loop. No archive has as many. */
const recordFilesAtMost = 20_000
/** Larger than any that we write. */
const manifestMaxBytes = 1024 ** 2

const readManifest = async (zip: ZipFiles): Promise<ArchiveRecord<'manifest'>> => {
  const size = zip.sizeOf(manifestName)
  const body = size !== undefined && size <= manifestMaxBytes ? zip.open(manifestName) : undefined
  if (!body) throw new ImportStopped('notArchive')
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  const manifest = readRecord('manifest', Buffer.concat(chunks).toString())
  if (!manifest) throw new ImportStopped('notArchive')
  if (manifest.version > archiveVersion) throw new ImportStopped('version')
  return manifest
}

/** The files of each kind of record, in their order. @throws ImportStopped */
const recordFiles = async ({ names }: ZipFiles) => {
  const all = new Map<string, string[]>()
  let count = 0
  await forEachName(names, name => {
    const kind = recordFile.exec(name)?.[1]
    if (kind === undefined) return
    count += 1
    if (count > recordFilesAtMost) throw new ImportStopped('zipSize')
    const ofKind = all.get(kind)
    if (ofKind) ofKind.push(name)
    else all.set(kind, [name])
  })
  return (kind: RecordKind): readonly string[] =>
    (all.get(kind) ?? []).sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
}

/** An organization's archive in an uploaded file. @throws ImportStopped */
export async function openArchiveSource(bytes: Bytes): Promise<RecordSource> {
  if (!(await isZip(bytes))) throw new ImportStopped('notArchive')
  const zip = await openZipFiles(bytes, limits)
  let manifest: ArchiveRecord<'manifest'>
  let filesOf: Awaited<ReturnType<typeof recordFiles>>
  try {
    manifest = await readManifest(zip)
    filesOf = await recordFiles(zip)
  } catch (error) {
    zip.close()
    throw error
  }
  return {
    manifest,
    hasFileSums: true,
    hasExactTimes: true,
    async *lines(kind) {
      for (const file of filesOf(kind)) {
        const body = zip.open(file)
        if (!body) continue
        for await (const { number, text } of readLines(body, recordMaxChars)) if (text) yield { file, number, text }
      }
    },
    sizeOf: zip.sizeOf,
    openFile: zip.open,
    close: zip.close,
  }
}
