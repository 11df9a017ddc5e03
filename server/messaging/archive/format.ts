/** `archive.json` of an archive says this. Raise the version when a reader of the old form would misread the new one. */
export const archiveFormat = 'recado'
export const archiveVersion = 1

/** The file of an archive that names its format and version. */
export const manifestName = 'archive.json'

/** A part of a file of records: `records/messages-003.jsonl`. */
export const recordFileName = (kind: string, part: number): string =>
  `records/${kind}-${String(part).padStart(3, '0')}.jsonl`

/** The path of a message's file in an archive. */
export const archivedFilePath = (id: string, name: string | null): string => {
  const clean = (name ?? '')
    .toWellFormed()
    .replace(/[^\p{L}\p{N}._ -]+/gu, '_')
    .slice(-80)
  return `media/${id}${clean ? `-${clean}` : ''}`
}
