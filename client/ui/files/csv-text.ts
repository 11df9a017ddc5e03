import { isVcard, withoutPictures } from '#shared/people-files/vcard.ts'

/** Why a file is not taken: too large, a workbook or a web page with a table, no text at all, or nothing in it. */
type FileRefusal = 'tooLarge' | 'spreadsheet' | 'notText' | 'empty'

/** The file types that can be chosen. Workbooks are included, to say what to do with them. */
export const peopleFiles = '.csv,.txt,.tsv,.vcf,.xls,.xlsx,.ods,text/csv,text/plain,text/vcard'

/** Cards with photos are large, and little of it is read. */
const cardsMaxBytes = 64 * 1024 * 1024

const startsWith = (bytes: Uint8Array, ...head: number[]) => head.every((one, i) => bytes[i] === one)
/** A workbook is packed XML, or has the older binary form. */
const isWorkbook = (bytes: Uint8Array) =>
  startsWith(bytes, 0x50, 0x4b, 3, 4) || startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1)
/** Many programs write a web page and call it `.xls`. */
const isMarkup = (text: string) =>
  /^\uFEFF?\s*(?:<!doctype|<html|<head|<meta|<style|<table|<\?xml)/i.test(text.slice(0, 1000))

/** Decodes the text from any common encoding. */
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

/** The text of a file in whichever usual encoding, of cards without their photos; what is too large is not even read. */
export async function readCsvText(
  file: Pick<File, 'name' | 'size' | 'arrayBuffer'>,
  maxBytes: number,
): Promise<{ text: string } | FileRefusal> {
  if (file.size > (/\.(?:vcf|vcard)$/i.test(file.name) ? cardsMaxBytes : maxBytes)) return 'tooLarge'
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (isWorkbook(bytes)) return 'spreadsheet'
  const read = decodedText(bytes)
  const text = isVcard(read) ? withoutPictures(read) : read
  if (text.includes('\0')) return 'notText'
  if (isMarkup(text)) return 'spreadsheet'
  if (text.trim() === '') return 'empty'
  return text.length > maxBytes ? 'tooLarge' : { text }
}
