import { type FileKind, fileMimes } from '#shared/media/sent-files.ts'
import { textOf } from './content-type.ts'
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

/** Of the first entry of a document that Office or LibreOffice packs. */
const officeEntry = /\[Content_Types\]\.xml|_rels\/|docProps\/|word\/|xl\/|ppt\//

const markup = /<(?:!doctype\s+html|html|svg|script)[\s>]/i

interface Said {
  readonly name: string
  /** Bare. */
  readonly mime: string
}

const documentType = (head: Buffer, found: string | undefined, said: Said): string | undefined => {
  if (found === 'application/x-cfb') return inFamily('old', said)
  if (found && Object.values(office('new')).includes(found)) return found
  if (found === 'application/zip') return officeEntry.test(head.toString('latin1')) ? inFamily('new', said) : undefined
  const text = found === undefined ? textOf(head) : undefined
  // What a browser would run is no text.
  return text === undefined || markup.test(text) ? undefined : 'text/plain'
}

const isOpus = (head: Buffer): boolean => head.includes('OpusHead')

const kinds: readonly (keyof typeof fileMimes)[] = ['image', 'video', 'audio', 'sticker']

/** Photos that telephones make and WhatsApp does not take. */
export const isForeignPhoto = (found: string | undefined): boolean => /^image\/(?:hei[cf]|avif)/.test(found ?? '')

/**
 * @param found what its bytes say: @see detectType
 * @param said what the sender calls it, which decides only where the bytes leave it open
 */
export function sniffSent(head: Buffer, found: string | undefined, said: Said): FoundFile | undefined {
  // As sound it is called so by its brand; a container of films is not sound because somebody says it.
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

/** Endings by type, the usual one first. */
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

/** A name whose ending says another type than the file has gets the right one: `factura.jpg` of a PDF is `factura.pdf`. */
export const nameOfType = (name: string, mime: string): string => {
  const ending = extensionOf(name)
  const right = mime === 'text/plain' ? ['txt'] : endings[mime]
  if (!known.has(ending) || right === undefined || right.includes(ending)) return name
  return `${name.slice(0, -ending.length)}${right[0]}`
}
