import { fileTypeFromBuffer } from 'file-type'

/** Containers whose brand the library tells more finely than WhatsApp and browsers name them. */
const named: Readonly<Record<string, string>> = {
  'application/ogg': 'audio/ogg',
  'audio/x-m4a': 'audio/mp4',
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are in no text
const notText = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/** Text in UTF-16 begins with a mark that also begins a frame of sound. */
const wideText = (head: Buffer): string | undefined => {
  const [first, second] = head
  const isLittle = first === 0xff && second === 0xfe
  if (!isLittle && !(first === 0xfe && second === 0xff)) return undefined
  return new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(head.subarray(0, head.length & ~1))
}

/** Undefined: it is no text. In any of the old encodings, as spreadsheets still write them. */
export const textOf = (head: Buffer): string | undefined => {
  const text = wideText(head) ?? head.toString('latin1')
  return notText.test(text) ? undefined : text
}

/** Readers look for the mark within the first kilobyte. @see ISO 32000, 7.5.2 */
const isPdf = (head: Buffer): boolean => head.subarray(0, 1024).includes('%PDF-')

/** The library reads ahead of where a very short file ends. */
const leastBytes = 128

/** What the first kilobyte of a file says it is; undefined: text, or nothing that is known. */
export async function detectType(head: Buffer): Promise<string | undefined> {
  if (isPdf(head)) return 'application/pdf'
  // Words that begin like a signature, such as BMW and a bitmap's, make no picture of a text.
  if (head.length === 0 || textOf(head) !== undefined) return undefined
  const padded = head.length < leastBytes ? Buffer.concat([head, Buffer.alloc(leastBytes - head.length)]) : head
  const found = (await fileTypeFromBuffer(padded))?.mime.split(';')[0]
  return found && (named[found] ?? found)
}
