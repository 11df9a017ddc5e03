import { fileTypeFromBuffer } from 'file-type'

/** The library names the brands of some containers; WhatsApp and browsers use the general type. */
const named: Readonly<Record<string, string>> = {
  'application/ogg': 'audio/ogg',
  'audio/x-m4a': 'audio/mp4',
  'image/apng': 'image/png',
  'video/x-m4v': 'video/mp4',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are in no text
const notText = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

/** UTF-16 text begins with a mark that also begins an MP3 frame. */
const wideText = (head: Buffer): string | undefined => {
  const [first, second] = head
  const isLittle = first === 0xff && second === 0xfe
  if (!isLittle && !(first === 0xfe && second === 0xff)) return undefined
  return new TextDecoder(isLittle ? 'utf-16le' : 'utf-16be').decode(head.subarray(0, head.length & ~1))
}

/** Undefined: not text. Accepts old encodings, which spreadsheets still write. */
export const decodedHead = (head: Buffer): string | undefined => {
  const text = wideText(head) ?? head.toString('latin1')
  return notText.test(text) ? undefined : text
}

/** Readers look for the mark in the first kilobyte. @see ISO 32000, 7.5.2 */
const isPdf = (head: Buffer): boolean => head.subarray(0, 1024).includes('%PDF-')

/** The library reads beyond the end of shorter files. */
const leastBytes = 128

/** The type that the first kilobyte of a file shows. Undefined: text or unknown. */
export async function detectType(head: Buffer): Promise<string | undefined> {
  if (isPdf(head)) return 'application/pdf'
  // Text that begins like a signature, such as "BM" of a bitmap, is not an image.
  if (head.length === 0 || decodedHead(head) !== undefined) return undefined
  const padded = head.length < leastBytes ? Buffer.concat([head, Buffer.alloc(leastBytes - head.length)]) : head
  const found = (await fileTypeFromBuffer(padded))?.mime.split(';')[0]
  return found && (named[found] ?? found)
}
