import type { MessageType } from '#shared/inbox/message-kinds.ts'

/** The content of an entry in our terms. */
interface EntryContent {
  readonly type: MessageType
  /** Body or caption, without WhatsApp's own words. */
  readonly text: string
  /** The name of the file in the export. Null: WhatsApp left the file out. Absent: the message has none. */
  readonly file?: string | null
  readonly location?: { readonly latitude: number; readonly longitude: number }
  readonly isEdited?: true
  readonly isDeleted?: true
}

const marks = /\u200e/g
/** A file on iPhones: `‎<adjunto: 00000003-PHOTO.jpg>`, behind the caption. */
const attached = /\u200e?<(?:attached|adjunto|anexado|anexo|allegato|pièce jointe|Anhang)\s?: ([^>\n]{1,255})>/i
/** A file on Android: `IMG-1.jpg (archivo adjunto)`, with the caption in the next lines. */
const attachedFirst =
  /^\u200e?([^\n]{1,255}?\.[\p{L}\p{N}]{1,8}) \((?:file attached|archivo adjunto|arquivo anexado)\)(?:\n|$)/iu
const omittedAny =
  /^\u200e?<(?:media omitted|multimedia omitido|archivo omitido|mídia oculta|mídia omitida|arquivo de mídia oculto)>(?:\n|$)/i
/** A file left out on iPhones: `‎imagen omitida`. */
const omitted: readonly (readonly [RegExp, MessageType])[] = [
  [/(?:image omitted|imagen omitida|imagem (?:ocultada|omitida))$/i, 'image'],
  [/(?:video omitted|v[ií]deo omitido|v[ií]deo ocultado|gif omitted|gif omitido|gif ocultado)$/i, 'video'],
  [/(?:audio omitted|[aá]udio omitido|[aá]udio ocultado)$/i, 'audio'],
  [/(?:sticker omitted|sticker omitido|figurinha omitida)$/i, 'sticker'],
  [
    /(?:document omitted|documento omitido|documento ocultado|contact card omitted|tarjeta de contacto omitida|cartão do contato omitido)$/i,
    'document',
  ],
]
const edited =
  /[ \n]?\u200e?<(?:this message was edited|se editó este mensaje|(?:esta )?mensagem (?:foi )?editada)\.?>\s*$/i
const deleted =
  /^\u200e?(?:this message was deleted|you deleted this message|se eliminó este mensaje|eliminaste este mensaje|(?:esta )?mensagem (?:foi )?apagada|você apagou esta mensagem)\.?$/i
const place =
  /^\u200e?(?:location|ubicación|localização): (?:([^\n]*): )?https:\/\/(?:maps\.google\.com\/|www\.google\.com\/maps)\/?\?q=(-?\d{1,3}(?:\.\d+)?),(-?\d{1,3}(?:\.\d+)?)$/i

/** The type by the ending of the file's name. Its bytes decide later. */
const typeOfFile = (name: string): MessageType => {
  const ending = /\.([a-z0-9]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (/^(?:jpe?g|png|gif|heic)$/.test(ending)) return 'image'
  if (ending === 'webp') return /^STK|sticker/i.test(name) ? 'sticker' : 'image'
  if (/^(?:mp4|mov|3gp|avi|mkv)$/.test(ending)) return 'video'
  if (ending === 'opus') return 'voice'
  if (/^(?:ogg|mp3|m4a|aac|amr|wav)$/.test(ending)) return /^PTT|audio/i.test(name) ? 'voice' : 'audio'
  return 'document'
}

const plain = (text: string) => text.replace(marks, '').trim()

const fileIn = (text: string): EntryContent | undefined => {
  const first = attachedFirst.exec(text)
  if (first) {
    const name = plain(first[1] as string)
    return { type: typeOfFile(name), text: plain(text.slice(first[0].length)), file: name }
  }
  const within = attached.exec(text)
  if (within) {
    const name = plain(within[1] as string)
    return { type: typeOfFile(name), text: plain(text.replace(within[0], '')), file: name }
  }
  const any = omittedAny.exec(text)
  if (any) return { type: 'document', text: plain(text.slice(any[0].length)), file: null }
  // The mark tells WhatsApp's words from those that a person wrote.
  const own = text.lastIndexOf('\u200e')
  if (own === -1) return undefined
  const said = text.slice(own + 1).trim()
  const kind = omitted.find(([form]) => form.test(said))
  if (!kind) return undefined
  return { type: kind[1], text: plain(text.slice(0, own)), file: null }
}

/**
 * Reads the content of an entry. Undefined: a notice that WhatsApp attributes to an author, such as that the chat is
 * encrypted.
 */
export function readEntryContent(raw: string): EntryContent | undefined {
  const isEdited = edited.test(raw)
  const text = isEdited ? raw.replace(edited, '') : raw
  const mark = isEdited ? { isEdited: true as const } : {}
  if (deleted.test(text.trim())) return { type: 'text', text: '', isDeleted: true }
  const file = fileIn(text)
  if (file) return { ...file, ...mark }
  const where = place.exec(text.trim())
  if (where) {
    const location = { latitude: Number(where[2]), longitude: Number(where[3]) }
    if (Math.abs(location.latitude) <= 90 && Math.abs(location.longitude) <= 180)
      return { type: 'location', text: plain(where[1] ?? ''), location, ...mark }
  }
  if (text.startsWith('\u200e')) return undefined
  return { type: 'text', text: plain(text), ...mark }
}
