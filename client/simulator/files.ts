import type { CustomerAction } from './act.ts'

/** The contract's limit, minus the rest of the request. */
export const maxFileBytes = 600 * 1024

const kindOf = (mime: string): string => {
  if (/^image\/(jpeg|png)$/.test(mime)) return 'image'
  if (mime === 'image/webp') return 'sticker'
  if (/^video\/(mp4|3gpp)$/.test(mime)) return 'video'
  if (/^audio\/(ogg|opus|mpeg|mp4|aac|amr)$/.test(mime)) return 'audio'
  return 'document'
}

/** Base64 of some bytes, in chunks, because a call has a limited number of arguments. */
const base64Of = (bytes: Uint8Array): string => {
  let text = ''
  const piece = 0x8000
  for (let i = 0; i < bytes.length; i += piece) text += String.fromCharCode(...bytes.subarray(i, i + piece))
  return btoa(text)
}

const bareMime = (mime: string) => (mime.split(';')[0] ?? '').trim().toLowerCase()

/** A file as a customer's message. Its type decides the kind of message, as in WhatsApp. */
export async function actionOfFile(file: File): Promise<CustomerAction> {
  const mime = bareMime(file.type) || 'application/octet-stream'
  const type = kindOf(mime)
  return {
    type,
    mime,
    ...(type === 'document' ? { filename: file.name.slice(0, 240) } : {}),
    dataBase64: base64Of(new Uint8Array(await file.arrayBuffer())),
  }
}

export async function actionOfVoice(recording: Blob): Promise<CustomerAction> {
  return {
    type: 'voice',
    mime: 'audio/ogg; codecs=opus',
    dataBase64: base64Of(new Uint8Array(await recording.arrayBuffer())),
  }
}

/** The bytes of a base64 text, for an object URL. */
export const blobOf = (dataBase64: string, mime: string): Blob =>
  new Blob([Uint8Array.from(atob(dataBase64), char => char.charCodeAt(0))], { type: mime })
