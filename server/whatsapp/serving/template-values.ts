import { asList, asNumber, asObject, asText, type Json, shownValue } from '../scalars.ts'
import { codeError, paramError } from './graph-error.ts'

type Values = string[] | Record<string, string>

interface CardValues {
  file?: string
  body?: Values
  buttons?: Record<string, string>
}

/** The values of a template in a send body. */
export interface GivenTemplate {
  readonly template: string
  readonly language: string
  readonly body: Values
  readonly header?: Values
  /** The header's file: a public address, or the id of an upload. */
  readonly media?: { readonly link: string } | { readonly id: string }
  readonly fileName?: string
  readonly location?: { latitude: number; longitude: number; name?: string; address?: string }
  /** The values of buttons by position. */
  readonly buttons: Record<string, string>
  readonly cards: Record<string, CardValues>
  readonly offerEndsAt?: string
}

const mediaTypes: readonly unknown[] = ['image', 'video', 'document']

const textOf = (parameter: Json): string => {
  if (parameter.type !== 'currency' && parameter.type !== 'date_time') return asText(parameter.text) ?? ''
  return asText(asObject(parameter[parameter.type])?.fallback_value) ?? ''
}

const objectsIn = (list: unknown): Json[] =>
  asList(list)
    .map(asObject)
    .filter(one => one !== undefined)
const parametersOf = (component: Json): Json[] => objectsIn(component.parameters)

/** The values in order, or by name if the parameters are named. */
const valuesOf = (parameters: readonly Json[]): Values =>
  parameters.some(one => asText(one.parameter_name) !== undefined)
    ? Object.fromEntries(parameters.map(one => [asText(one.parameter_name) ?? '', textOf(one)]))
    : parameters.map(textOf)

const mediaOf = (parameter: Json): GivenTemplate['media'] => {
  const file = asObject(parameter[shownValue(parameter.type)])
  const [link, id] = [asText(file?.link), asText(file?.id)]
  if (link !== undefined) return { link }
  if (id !== undefined) return { id }
  throw codeError(132012, `header: Format mismatch, expected a link or an id of ${shownValue(parameter.type)}`)
}

const locationOf = (parameter: Json): GivenTemplate['location'] => {
  const said = asObject(parameter.location)
  const [latitude, longitude] = [asNumber(said?.latitude), asNumber(said?.longitude)]
  if (latitude === undefined || longitude === undefined)
    throw codeError(132012, 'header: Format mismatch, expected LOCATION')
  const [name, address] = [asText(said?.name), asText(said?.address)]
  return { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) }
}

const headerOf = (component: Json): Pick<GivenTemplate, 'header' | 'media' | 'fileName' | 'location'> => {
  const [first] = parametersOf(component)
  if (!first) return {}
  if (first.type === 'location') return { location: locationOf(first) as NonNullable<GivenTemplate['location']> }
  if (!mediaTypes.includes(first.type)) return { header: valuesOf(parametersOf(component)) }
  const fileName = asText(asObject(first.document)?.filename)
  return { media: mediaOf(first) as NonNullable<GivenTemplate['media']>, ...(fileName ? { fileName } : {}) }
}

/** The value of a button: the end of its address, its payload, the code to copy, or the token of its form. */
const buttonOf = (component: Json): Record<string, string> => {
  const [first = {}] = parametersOf(component)
  const index = asText(component.index)
  if (index === undefined || !/^\d$/.test(index)) throw paramError('Param template[components][index] is not valid.')
  const value =
    asText(first.payload) ??
    asText(first.coupon_code) ??
    asText(asObject(first.action)?.flow_token) ??
    asText(first.text)
  return value === undefined ? {} : { [index]: value }
}

const typeOf = (component: Json): string => (asText(component.type) ?? '').toLowerCase()
const ofType = (components: readonly Json[], type: string) => components.filter(one => typeOf(one) === type)
const buttonsOf = (components: readonly Json[]): Record<string, string> =>
  Object.assign({}, ...ofType(components, 'button').map(buttonOf))

const cardOf = (entry: unknown): Record<string, CardValues> => {
  const card = asObject(entry)
  const at = asText(card?.card_index)
  if (at === undefined || !/^\d$/.test(at))
    throw paramError('Param template[components][cards][card_index] is not valid.')
  const components = objectsIn(card?.components)
  const [header, body] = [ofType(components, 'header')[0], ofType(components, 'body')[0]]
  const media = header && headerOf(header).media
  return {
    [at]: {
      ...(media ? { file: 'link' in media ? media.link : media.id } : {}),
      ...(body ? { body: valuesOf(parametersOf(body)) } : {}),
      buttons: buttonsOf(components),
    },
  }
}

const offerEndOf = (component: Json | undefined): { offerEndsAt?: string } => {
  const [first] = component ? parametersOf(component) : []
  const ms = asNumber(asObject(first?.limited_time_offer)?.expiration_time_ms)
  return ms === undefined || Math.abs(ms) > 8e15 ? {} : { offerEndsAt: new Date(ms).toISOString() }
}

/**
 * The template and its values in a send body that `validateMessage` accepted. @throws GraphError 100, 132012
 * @see Meta, "Template messages"
 */
export function readTemplateSend(template: Json): GivenTemplate {
  const components = objectsIn(template.components)
  const [header] = ofType(components, 'header')
  const [body] = ofType(components, 'body')
  const [carousel] = ofType(components, 'carousel')
  return {
    template: asText(template.name) ?? '',
    language: asText(asObject(template.language)?.code) ?? '',
    body: body ? valuesOf(parametersOf(body)) : [],
    ...(header ? headerOf(header) : {}),
    buttons: buttonsOf(components),
    cards: Object.assign({}, ...asList(carousel?.cards).map(cardOf)),
    ...offerEndOf(ofType(components, 'limited_time_offer')[0]),
  }
}
