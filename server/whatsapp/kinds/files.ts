import { asId, asText, cleanLine, cleanText, type Json } from '../scalars.ts'
import type { InboundMedia } from '../webhooks/inbound.ts'
import type { Kinds, Reader, Sendings } from './kind.ts'

const mimePattern =
  /^[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*(\s*;\s*[a-z0-9_-]+=("[^"\\]*"|[a-z0-9!#$&^_.+-]+))*$/
const mimeOf = (value: unknown): string => {
  const mime = cleanLine(value, 100)?.toLowerCase() ?? ''
  return mimePattern.test(mime) ? mime : 'application/octet-stream'
}

/** Webhooks contain the digest as base64, media info as hex. @see Meta, "Media" */
const digestOf = (value: unknown): string | undefined => {
  const digest = asText(value)
  if (digest === undefined) return undefined
  if (/^[0-9a-f]{64}$/i.test(digest)) return digest.toLowerCase()
  const bytes = Buffer.from(digest, 'base64')
  return bytes.length === 32 ? bytes.toString('hex') : undefined
}

const mediaOf = (part: Json): InboundMedia | undefined => {
  const providerId = asId(part.id)
  if (providerId === undefined) return undefined
  const media: InboundMedia = { providerId, mime: mimeOf(part.mime_type) }
  const name = cleanLine(part.filename, 240)?.replace(/[/\\]/g, '_')
  if (name !== undefined) media.name = name
  const sha256 = digestOf(part.sha256)
  if (sha256 !== undefined) media.sha256 = sha256
  return media
}

/** Creates the reader for a type of file. Meta marks voice notes as audio with `voice: true`. */
const file =
  (type: 'image' | 'video' | 'audio' | 'document' | 'sticker'): Reader =>
  part => {
    const media = mediaOf(part)
    if (media === undefined) return undefined
    const caption = cleanText(part.caption)
    return {
      type: type === 'audio' && part.voice === true ? 'voice' : type,
      text: caption !== '' ? caption : type === 'document' ? (media.name ?? '') : '',
      media,
    }
  }

/** Sends a stored file, of any kind, by the id that Meta gave its upload. */
const uploaded: Sendings['file'] = {
  shown: ({ kind, caption, name }) => ({ type: kind, text: caption ?? (kind === 'document' ? (name ?? '') : '') }),
  part: ({ kind, name, caption }, id) => {
    if (id === undefined) throw new Error('messageBody: uploadedId is missing')
    const type = kind === 'voice' ? 'audio' : kind
    return {
      type,
      [type]: {
        id,
        ...(caption ? { caption } : {}),
        ...(kind === 'document' && name ? { filename: name } : {}),
        ...(kind === 'voice' ? { voice: true } : {}),
      },
    }
  },
}

/** Sends a file by its public address. The thread shows the address, because no copy is stored. */
const linked: Sendings['linked'] = {
  shown: ({ caption, url }) => ({ type: 'text', text: [caption, url].filter(Boolean).join('\n') }),
  part: ({ kind, url, name, caption }) => ({
    type: kind,
    [kind]: {
      link: url,
      ...(caption && kind !== 'audio' ? { caption } : {}),
      ...(kind === 'document' && name ? { filename: name } : {}),
    },
  }),
}

export const fileKinds = {
  image: { reads: { image: file('image') }, sends: { file: uploaded, linked } },
  video: { reads: { video: file('video') } },
  audio: { reads: { audio: file('audio') } },
  voice: { reads: { voice: file('audio') } },
  document: { reads: { document: file('document') } },
  sticker: { reads: { sticker: file('sticker') } },
} satisfies Kinds
