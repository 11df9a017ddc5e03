import { type FileKind, fileMimes } from '#shared/media/sent-files.ts'
import { decodedHead } from './content-type.ts'
import { servedType } from './kind.ts'

/** The content of a file to be sent, detected from its first bytes. Undefined: nothing that WhatsApp accepts. */
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

/** The names of the first entry of a document that Office or LibreOffice wrote. */
const officeEntry = /\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\//

const markup = /<(?:!doctype\s+html|html|svg|script)[\s>]/i

interface Said {
  readonly name: string
  /** The media type without parameters. */
  readonly mime: string
}

const documentType = (head: Buffer, found: string | undefined, said: Said): string | undefined => {
  if (found === 'application/x-cfb') return inFamily('old', said)
  if (found && Object.values(office('new')).includes(found)) return found
  if (found === 'application/zip') return officeEntry.test(head.toString('latin1')) ? inFamily('new', said) : undefined
  const text = found === undefined ? decodedHead(head) : undefined
  // Markup that a browser would run is not text.
  return text === undefined || markup.test(text) ? undefined : 'text/plain'
}

const isOpus = (head: Buffer): boolean => head.includes('OpusHead')

const kinds: readonly (keyof typeof fileMimes)[] = ['image', 'video', 'audio', 'sticker']

/** Photo formats of phones that WhatsApp does not accept. */
export const isForeignPhoto = (found: string | undefined): boolean => /^image\/(?:hei[cf]|avif)/.test(found ?? '')

/** @param found detected type: @see detectType @param said declared type, used only where the bytes leave it open */
export function sniffSent(head: Buffer, found: string | undefined, said: Said): FoundFile | undefined {
  // An audio brand decides. A video container does not become audio because the sender says so.
  const mime = found?.startsWith('audio/') ? found : servedType(said.mime, found)
  if (mime === 'application/pdf') return { mime, kind: 'document' }
  if (mime === 'audio/ogg' || mime === 'audio/opus')
    return isOpus(head) ? { mime: 'audio/ogg', kind: 'audio' } : undefined
  const called =
    { 'audio/mp3': 'audio/mpeg', 'audio/x-m4a': 'audio/mp4', 'audio/m4a': 'audio/mp4', 'audio/3gpp': 'video/3gpp' }[
      mime
    ] ?? mime
  const kind = kinds.find(one => (fileMimes[one] as readonly string[]).includes(called))
  if (kind && found) return { mime: called, kind: kind as FoundFile['kind'] }
  if (/^(?:image|audio|video)\//.test(found ?? '')) return undefined
  const document = documentType(head, found, said)
  return document ? { mime: document, kind: 'document' } : undefined
}

/** The number of channels of Opus in Ogg. Undefined: not Opus. */
export const opusChannels = (head: Buffer): number | undefined => {
  const at = head.indexOf('OpusHead')
  return at < 0 ? undefined : head[at + 9]
}

interface WebpFacts {
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

/** File extensions by type, the usual one first. */
const endings: Readonly<Record<string, readonly string[]>> = {
  'image/jpeg': ['jpg', 'jpeg', 'jpe', 'jfif'],
  'image/png': ['png'],
  'image/webp': ['webp'],
  'video/mp4': ['mp4', 'm4v'],
  'video/3gpp': ['3gp', '3gpp'],
  'audio/mpeg': ['mp3'],
  'audio/mp4': ['m4a', 'm4b', 'mp4', 'aac'],
  'audio/aac': ['aac', 'm4a'],
  'audio/amr': ['amr'],
  'audio/ogg': ['ogg', 'opus', 'oga'],
  'application/pdf': ['pdf'],
  ...Object.fromEntries(
    Object.entries({ ...office('old'), ...office('new') }).map(([ending, type]) => [type, [ending]]),
  ),
}
const otherPhotos = ['heic', 'heif', 'avif', 'gif', 'bmp', 'tif', 'tiff', 'mov', 'wav']
const known = new Set([...Object.values(endings).flat(), ...otherPhotos])

/** Corrects the extension of a name if it belongs to another type: `factura.jpg` of a PDF becomes `factura.pdf`. */
export const nameOfType = (name: string, mime: string): string => {
  const ending = extensionOf(name)
  const right = mime === 'text/plain' ? ['txt'] : endings[mime]
  if (!known.has(ending) || right === undefined || right.includes(ending)) return name
  return `${name.slice(0, -ending.length)}${right[0]}`
}
