/** Why a file is not taken: too large, a workbook instead of text, or nothing in it. */
export type FileRefusal = 'tooLarge' | 'notText' | 'empty'

/** In whichever usual encoding. */
export const decodedText = (bytes: Uint8Array): string => {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // As spreadsheets of Windows save it; every byte is some letter there.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The text of a file in whichever usual encoding; what is too large is not even read. */
export async function readCsvText(
  file: Pick<File, 'size' | 'arrayBuffer'>,
  maxBytes: number,
): Promise<{ text: string } | FileRefusal> {
  if (file.size > maxBytes) return 'tooLarge'
  const text = decodedText(new Uint8Array(await file.arrayBuffer()))
  if (text.includes('\0') || text.startsWith('PK\u0003\u0004')) return 'notText'
  if (text.trim() === '') return 'empty'
  return { text }
}
