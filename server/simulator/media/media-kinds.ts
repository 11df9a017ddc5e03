import type { MediaType } from '#server/whatsapp/serving/validate-message.ts'

const MB = 1024 * 1024

/**
 * The files that Meta accepts per kind. At Meta documents may have 100 MB; the simulator stores files in its database
 * and allows 16 MB, with the same error. @see Meta, "Media › Supported media types"
 */
const kinds: Readonly<Record<MediaType, { maxBytes: number; mimes: readonly string[] }>> = {
  audio: { maxBytes: 16 * MB, mimes: ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg', 'audio/opus'] },
  document: {
    maxBytes: 16 * MB,
    mimes: [
      'application/vnd.ms-powerpoint',
      'application/msword',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/pdf',
      'text/plain',
      'application/vnd.ms-excel',
    ],
  },
  image: { maxBytes: 5 * MB, mimes: ['image/jpeg', 'image/png'] },
  sticker: { maxBytes: 500 * 1024, mimes: ['image/webp'] },
  video: { maxBytes: 16 * MB, mimes: ['video/mp4', 'video/3gpp'] },
}

/** The largest file that the simulator accepts. */
export const maxUploadBytes = 16 * MB

export const allMimes: readonly string[] = Object.values(kinds).flatMap(kind => kind.mimes)

/** `audio/ogg; codecs=opus` → `audio/ogg`. */
export const bareMime = (mime: string): string => (mime.split(';')[0] ?? '').trim().toLowerCase()

const kindOfMime = (mime: string): MediaType | undefined =>
  (Object.keys(kinds) as MediaType[]).find(kind => kinds[kind].mimes.includes(bareMime(mime)))

export const maxBytesOf = (mime: string): number => {
  const kind = kindOfMime(mime)
  return kind ? kinds[kind].maxBytes : maxUploadBytes
}

/** A document may be any file that can be uploaded. */
export const fitsKind = (type: MediaType, mime: string): boolean =>
  type === 'document' ? kindOfMime(mime) !== undefined : kinds[type].mimes.includes(bareMime(mime))

export const mimesOf = (type: MediaType): readonly string[] => kinds[type].mimes

const extensions: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
  mov: 'video/quicktime',
  webm: 'video/webm',
  avi: 'video/x-msvideo',
  mp3: 'audio/mpeg',
  ogg: 'audio/ogg',
  opus: 'audio/opus',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  amr: 'audio/amr',
  wav: 'audio/wav',
  pdf: 'application/pdf',
  txt: 'text/plain',
  html: 'text/html',
  htm: 'text/html',
  zip: 'application/zip',
  csv: 'text/csv',
}

/** Undefined: the extension says nothing. */
export const mimeOfAddress = (url: URL): string | undefined =>
  extensions[/\.([a-z0-9]{2,5})$/i.exec(url.pathname)?.[1]?.toLowerCase() ?? '']

const startsWith = (bytes: Buffer, text: string, at = 0) =>
  bytes.subarray(at, at + text.length).toString('latin1') === text

/** The type by the first bytes; undefined for text and types without a signature. */
export function sniffMime(bytes: Buffer): string | undefined {
  if (startsWith(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png'
  if (startsWith(bytes, '\xff\xd8\xff')) return 'image/jpeg'
  if (startsWith(bytes, 'GIF8')) return 'image/gif'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)) return 'image/webp'
  if (startsWith(bytes, 'RIFF') && startsWith(bytes, 'WAVE', 8)) return 'audio/wav'
  if (startsWith(bytes, '%PDF-')) return 'application/pdf'
  if (startsWith(bytes, 'OggS')) return 'audio/ogg'
  if (startsWith(bytes, '#!AMR')) return 'audio/amr'
  if (startsWith(bytes, 'ID3')) return 'audio/mpeg'
  if (startsWith(bytes, 'ftyp3gp', 4)) return 'video/3gpp'
  if (startsWith(bytes, 'ftypM4A', 4)) return 'audio/mp4'
  if (startsWith(bytes, 'ftyp', 4)) return 'video/mp4'
  if (startsWith(bytes, '\x1a\x45\xdf\xa3')) return 'video/webm'
  if (/^\s*<(!doctype html|html)/i.test(bytes.subarray(0, 200).toString('latin1'))) return 'text/html'
  const [first = 0, second = 0] = bytes
  if (first === 0xff && (second & 0xe0) === 0xe0) return (second & 0x06) === 0 ? 'audio/aac' : 'audio/mpeg'
  return undefined
}

/** Types that share a signature: MP4 has sound and pictures, Ogg contains Opus. */
const families: readonly (readonly string[])[] = [
  ['video/mp4', 'audio/mp4', 'video/3gpp'],
  ['audio/ogg', 'audio/opus'],
  ['audio/mpeg', 'audio/aac'],
]

/** Types of one family pass for one another. Bytes without a known signature pass as any document but a PDF. */
export function matchesBytes(mime: string, bytes: Buffer): boolean {
  const declared = bareMime(mime)
  const found = sniffMime(bytes)
  if (found === undefined) return kindOfMime(declared) === 'document' && declared !== 'application/pdf'
  return found === declared || families.some(family => family.includes(found) && family.includes(declared))
}
