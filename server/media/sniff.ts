import { type FileKind, fileMimes } from '#shared/sent-files.ts'
import { servedType } from './kind.ts'

/** What is in a file that is to be sent, as its first bytes tell; undefined: nothing that WhatsApp takes. */
export interface FoundFile {
  /** The type it is stored as and uploaded with. */
  readonly mime: string
  readonly kind: Exclude<FileKind, 'voice'>
}

const office = (family: 'old' | 'new'): Readonly<Record<string, string>> =>
  family === 'old'
    ? { doc: 'application/msword', xls: 'application/vnd.ms-excel', ppt: 'application/vnd.ms-powerpoint' }
    : {
        docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
        xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
        pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      }

const extensionOf = (name: string): string => /\.([a-z0-9]{1,5})$/i.exec(name)?.[1]?.toLowerCase() ?? ''

const inFamily = (family: 'old' | 'new', said: { name: string; mime: string }): string | undefined => {
  const types = office(family)
  return types[extensionOf(said.name)] ?? Object.values(types).find(type => type === said.mime)
}

const oldOffice = Buffer.from('d0cf11e0a1b11ae1', 'hex')
const zip = Buffer.from('504b0304', 'hex')
/** Of the first entry of a document that Office or LibreOffice packs. */
const officeEntry = /\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\//

const markup = /<(?:!doctype\s+html|html|svg|script)[\s>]/i
// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are in no text
const notText = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/

const documentType = (head: Buffer, said: { name: string; mime: string }): string | undefined => {
  if (head.subarray(0, 8).equals(oldOffice)) return inFamily('old', said)
  const text = head.toString('latin1')
  if (head.subarray(0, 4).equals(zip)) return officeEntry.test(text) ? inFamily('new', said) : undefined
  // In any of the old encodings: spreadsheets still write them. What a browser would run is no text.
  return notText.test(text) || markup.test(text) ? undefined : 'text/plain'
}

const isOpus = (head: Buffer): boolean => head.includes('OpusHead')
/** Sound in a container of films says so in its mark. */
const isSoundOnly = (head: Buffer): boolean => /^(?:M4A|M4B|F4A)/.test(head.toString('latin1', 8, 12))

const kinds: readonly (keyof typeof fileMimes)[] = ['image', 'video', 'audio', 'sticker']

/** @param said what the sender calls it, which decides only where the bytes leave it open */
export function sniffSent(head: Buffer, said: { name: string; mime: string }): FoundFile | undefined {
  if (head.toString('latin1', 8, 12) === 'qt  ' && head.toString('latin1', 4, 8) === 'ftyp') return undefined
  const mime = isSoundOnly(head) ? 'audio/mp4' : servedType(said.mime, head)
  if (mime === 'application/pdf') return { mime, kind: 'document' }
  if (mime === 'audio/ogg' || mime === 'audio/opus')
    return isOpus(head) ? { mime: 'audio/ogg', kind: 'audio' } : undefined
  const named = { 'audio/mp3': 'audio/mpeg', 'audio/x-m4a': 'audio/mp4', 'audio/3gpp': 'video/3gpp' }[mime] ?? mime
  const kind = kinds.find(one => (fileMimes[one] as readonly string[]).includes(named))
  if (kind) return { mime: named, kind: kind as FoundFile['kind'] }
  if (/^(?:image|audio|video)\//.test(named)) return undefined
  const document = documentType(head, said)
  return document ? { mime: document, kind: 'document' } : undefined
}

/** Opus in Ogg says how many channels it has; undefined: it is no Opus. */
export const opusChannels = (head: Buffer): number | undefined => {
  const at = head.indexOf('OpusHead')
  return at < 0 ? undefined : head[at + 9]
}

export interface WebpFacts {
  readonly width: number
  readonly height: number
  readonly isAnimated: boolean
}

/** @see RFC 9649 */
export function webpFacts(head: Buffer): WebpFacts | undefined {
  const chunk = head.toString('latin1', 12, 16)
  if (head.length < 30) return undefined
  if (chunk === 'VP8X')
    return {
      width: head.readUIntLE(24, 3) + 1,
      height: head.readUIntLE(27, 3) + 1,
      isAnimated: ((head[20] ?? 0) & 2) !== 0,
    }
  if (chunk === 'VP8 ')
    return { width: head.readUInt16LE(26) & 0x3fff, height: head.readUInt16LE(28) & 0x3fff, isAnimated: false }
  if (chunk !== 'VP8L') return undefined
  const bits = head.readUInt32LE(21)
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1, isAnimated: false }
}
