import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import type { ReceivedFile } from '#shared/kernel/contract.ts'
import {
  bytesText,
  captionMaxChars,
  type FileForm,
  type FileKind,
  fileMaxBytes,
  fileNameMaxChars,
  stickerPixels,
  stillStickerMaxBytes,
  takesCaption,
} from '#shared/media/sent-files.ts'
import { type FoundFile, isForeignPhoto, nameOfType, opusChannels, sniffSent, webpFacts } from './sniff.ts'

/** The sender's declaration of a file. */
interface SaidOfFile {
  readonly name?: string | undefined
  readonly mime_type?: string | undefined
  readonly size?: number | undefined
  readonly as?: FileForm | undefined
  readonly message?: string | undefined
}

interface SentFile {
  readonly kind: FileKind
  readonly mime: string
  readonly name: string
  readonly caption: string | undefined
}

const fault = (field: string, code: string, params: FieldFault['params'] = {}) =>
  new InvalidInput([{ field: `body.${field}`, code, params }])

const tooLarge = (limit: number) =>
  new InvalidInput(
    [{ field: 'body.file', code: 'fileTooLarge', params: { limit: bytesText(limit) } }],
    'APP_TOO_LARGE',
    413,
  )

// biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these may not stand in a name, nor what turns its direction
const notInNames = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/

const requireName = (name: string): string => {
  const trimmed = name.trim()
  if (!trimmed) throw fault('name', 'required')
  if (/[/\\]|^\.\.?$/.test(trimmed)) throw fault('name', 'fileNamePath')
  if (notInNames.test(trimmed)) throw fault('name', 'format')
  if ([...trimmed].length > fileNameMaxChars) throw fault('name', 'maxLength', { limit: fileNameMaxChars })
  return trimmed
}

const bareMime = (mime: string): string => mime.split(';')[0]?.trim().toLowerCase() ?? ''
const saysNothing = new Set(['', 'application/octet-stream', 'binary/octet-stream'])
const familyOf = (mime: string): string => {
  const family = mime.split('/')[0] ?? ''
  if (family === 'video' || mime === 'application/ogg') return 'audio'
  return family === 'text' ? 'application' : family
}

/** A wrong type within a family is common among programs. A wrong family is refused. */
const isWrongType = (said: string, { mime }: FoundFile): boolean => {
  if (saysNothing.has(said)) return false
  if (familyOf(said) !== familyOf(mime)) return true
  if (familyOf(mime) !== 'application' || said === mime) return false
  return mime === 'application/pdf' || said === 'application/pdf' || /html|svg|javascript|x-msdownload/.test(said)
}

const requireSticker = (head: Buffer, size: number) => {
  const facts = webpFacts(head)
  if (facts?.width !== stickerPixels || facts.height !== stickerPixels)
    throw fault('file', 'stickerSize', { pixels: stickerPixels })
  if (!facts.isAnimated && size > stillStickerMaxBytes) throw tooLarge(stillStickerMaxBytes)
}

const kindOf = (found: FoundFile, as: FileForm | undefined, head: Buffer): FileKind => {
  if (as === 'voice' && opusChannels(head) !== 1) throw fault('as', 'notVoice')
  if (as === 'sticker' && found.kind !== 'sticker') throw fault('as', 'notSticker')
  return as ?? found.kind
}

/**
 * The type a file is sent as. Its bytes decide, not its declared type. @throws InvalidInput naming `file`, `name`,
 * `mime_type`, `size`, `as` or `message`
 */
export function readSentFile(file: ReceivedFile, said: SaidOfFile): SentFile {
  if (file.size === 0) throw fault('file', 'fileEmpty')
  const name = requireName(said.name ?? file.name ?? '')
  if (said.size !== undefined && said.size !== file.size) throw fault('size', 'fileSize', { bytes: file.size })
  const head = Buffer.from(file.head)
  const declared = bareMime(said.mime_type ?? file.mime)
  if (isForeignPhoto(file.found)) throw fault('file', 'filePhoto')
  const found = sniffSent(head, file.found, { name, mime: declared })
  if (!found) throw fault('file', 'fileKind')
  if (isWrongType(declared, found)) throw fault('mime_type', 'fileLies', { found: found.mime })
  const kind = kindOf(found, said.as, head)
  if (file.size > fileMaxBytes[kind]) throw tooLarge(fileMaxBytes[kind])
  if (kind === 'sticker') requireSticker(head, file.size)
  const caption = said.message?.trim() ? said.message : undefined
  if (caption && !takesCaption(kind)) throw fault('message', 'noCaption')
  if (caption && [...caption].length > captionMaxChars) throw fault('message', 'maxLength', { limit: captionMaxChars })
  return { kind, mime: found.mime, name: nameOfType(name, found.mime), caption }
}
