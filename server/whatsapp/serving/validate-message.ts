import { asNumber, asText, type Json, shownValue } from '../scalars.ts'
import { invalid, listAt, missing, objectAt, optionalTextAt, plainTextAt, textAt, webAddressAt } from './checks.ts'
import { paramError } from './graph-error.ts'
import { validateInteractive } from './validate-interactive.ts'

export const mediaTypes = ['image', 'video', 'audio', 'document', 'sticker'] as const
export type MediaType = (typeof mediaTypes)[number]

const captioned: readonly string[] = ['image', 'video', 'document']

const media = (type: MediaType) => (part: Json) => {
  if (part.id === undefined && part.link === undefined) throw missing(`${type}['id'] or ${type}['link']`)
  if (part.id !== undefined && part.link !== undefined)
    throw invalid(`Only one of ${type}['id'] and ${type}['link'] can be set.`)
  if (part.id !== undefined && asText(part.id) === undefined)
    throw invalid(`Parameter '${type}['id']' must be a string.`)
  if (part.link !== undefined) webAddressAt(part, 'link', `${type}['link']`)
  if (part.caption !== undefined && !captioned.includes(type))
    throw paramError(`Unexpected key "caption" on param "${type}".`)
  optionalTextAt(part, 'caption', `${type}['caption']`, 'Caption', 1024)
  if (part.filename !== undefined && type !== 'document')
    throw paramError(`Unexpected key "filename" on param "${type}".`)
  optionalTextAt(part, 'filename', `${type}['filename']`, 'Filename', 240)
}

const coordinate = (part: Json, key: 'latitude' | 'longitude', limit: number) => {
  if (part[key] === undefined) throw missing(`location['${key}']`)
  const value = asNumber(part[key])
  if (value === undefined || Math.abs(value) > limit)
    throw invalid(`Parameter 'location['${key}']' must be a number from -${limit} to ${limit}.`)
}

const location = (part: Json) => {
  coordinate(part, 'latitude', 90)
  coordinate(part, 'longitude', 180)
  optionalTextAt(part, 'name', "location['name']", 'Location name', 1000)
  optionalTextAt(part, 'address', "location['address']", 'Location address', 1000)
}

const nameParts = ['first_name', 'last_name', 'middle_name', 'prefix', 'suffix']

const contacts = (_part: Json, message: Json) => {
  for (const [i, card] of listAt(message, 'contacts', 'contacts', 'contacts', 1, 257).entries()) {
    const name = objectAt(card, 'name', `contacts[${i}]['name']`)
    textAt(name, 'formatted_name', `contacts[${i}]['name']['formatted_name']`, 'Formatted name', 1000)
    if (!nameParts.some(part => typeof name[part] === 'string'))
      throw invalid(`contacts[${i}]['name'] needs at least one of ${nameParts.join(', ')} besides formatted_name.`)
    if (card.birthday !== undefined && !/^\d{4}-\d{2}-\d{2}$/.test(asText(card.birthday) ?? ''))
      throw invalid(`contacts[${i}]['birthday'] must have the format YYYY-MM-DD.`)
  }
}

const reaction = (part: Json, message: Json) => {
  if (message.context !== undefined) throw invalid("Parameter 'context' is not allowed with reaction messages.")
  if (asText(part.message_id) === undefined) throw missing("reaction['message_id']")
  if (part.emoji === undefined) throw missing("reaction['emoji']")
  const emoji = part.emoji
  if (typeof emoji !== 'string' || [...new Intl.Segmenter().segment(emoji)].length > 1 || /^[\w\s]+$/.test(emoji))
    throw invalid("Parameter 'reaction['emoji']' must be a single emoji.")
}

const text = (part: Json) => {
  plainTextAt(part, 'body', "text['body']", 4096)
  if (
    part.preview_url !== undefined &&
    typeof part.preview_url !== 'boolean' &&
    !['true', 'false'].includes(shownValue(part.preview_url))
  )
    throw paramError("Param text['preview_url'] must be a boolean.")
}

/** Checks only the shape; the template itself is checked when it is sent. */
const template = (part: Json) => {
  const name = asText(part.name)
  if (name === undefined) throw missing("template['name']")
  const language = asText(objectAt(part, 'language', "template['language']").code)
  if (language === undefined) throw missing("template['language']['code']")
}

type Check = (part: Json, message: Json) => void

const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ...mediaTypes.map((type): [string, Check] => [type, media(type)]),
  ['contacts', contacts],
  ['interactive', validateInteractive],
  ['location', location],
  ['reaction', reaction],
  ['template', template],
  ['text', text],
])

const typeNames = [...checks.keys()]
  .map(type => type.toUpperCase())
  .sort()
  .join(', ')

/**
 * Checks a send by Meta's limits.
 * @returns the type; `text` if none is named
 * @throws GraphError 100, 131008, 131009, 132001 with details that name field and limit
 */
export function validateMessage(message: Json): string {
  const type = message.type === undefined ? 'text' : message.type
  const check = typeof type === 'string' ? checks.get(type) : undefined
  if (check === undefined || typeof type !== 'string')
    throw paramError(`Param type must be one of {${typeNames}} - got "${shownValue(type)}".`)
  const callback = message.biz_opaque_callback_data
  if (callback !== undefined && (typeof callback !== 'string' || callback.length > 512))
    throw paramError('Param biz_opaque_callback_data must be at most 512 characters long.')
  if (message.context !== undefined && asText(objectAt(message, 'context', 'context').message_id) === undefined)
    throw missing("context['message_id']")
  if (message[type] === undefined) throw missing(type)
  check(type === 'contacts' ? {} : objectAt(message, type, type), message)
  return type
}
