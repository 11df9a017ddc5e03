/** Kinds of files that WhatsApp accepts, by how the customer sees them. @see Meta, "Media › Supported media types" */
const fileKinds = ['image', 'video', 'audio', 'voice', 'document', 'sticker'] as const
export type FileKind = (typeof fileKinds)[number]

/** Forms that cannot be detected from the content, so the sender requests them. */
export const fileForms = ['document', 'voice', 'sticker'] as const
export type FileForm = (typeof fileForms)[number]

const KB = 1024
const MB = 1024 * KB
const GB = 1024 * MB

export const fileMimes = {
  image: ['image/jpeg', 'image/png'],
  video: ['video/mp4', 'video/3gpp'],
  audio: ['audio/aac', 'audio/mp4', 'audio/mpeg', 'audio/amr', 'audio/ogg'],
  voice: ['audio/ogg'],
  sticker: ['image/webp'],
} as const satisfies Partial<Record<FileKind, readonly string[]>>

export const fileMaxBytes: Readonly<Record<FileKind, number>> = {
  image: 5 * MB,
  video: 16 * MB,
  audio: 16 * MB,
  voice: 16 * MB,
  document: 100 * MB,
  sticker: 500 * KB,
}
/** The size of a static sticker. */
export const stillStickerMaxBytes = 100 * KB
/** Width and height of a sticker. */
export const stickerPixels = 512
/** The largest file of any kind. */
export const anyFileMaxBytes = 100 * MB
/** A file in a JSON body or at an address it names: fits the largest image. */
export const jsonFileMaxBytes = 5 * MB
/** Base64 needs four characters for three bytes; the rest is for other fields. */
export const sendBodyLimitBytes = 7 * MB

export const captionMaxChars = 1024
export const fileNameMaxChars = 240

/** Audio and stickers have no caption. */
export const takesCaption = (kind: FileKind): boolean => ['image', 'video', 'document'].includes(kind)

/** `5 MB`, `500 KB`: the same in both languages. */
export const bytesText = (bytes: number): string =>
  bytes >= GB
    ? `${Math.round((bytes / GB) * 10) / 10} GB`
    : bytes >= MB
      ? `${Math.round(bytes / MB)} MB`
      : `${Math.max(1, Math.round(bytes / KB))} KB`
