import type { CardValues } from '#shared/outbound/api.ts'
import type { Template } from '#shared/templates/api.ts'
import {
  findComponent,
  type HeaderComponent,
  headerMedia,
  type MediaFormat,
  mediaFormats,
  type TemplateButton,
  type TemplateComponent,
} from '#shared/templates/components.ts'
import { fileAddressOf, fileIdOf, isFileHandle } from '#shared/templates/files.ts'
import { codeNameOf, needsOfferEnd, sendingObstacle } from '#shared/templates/sending.ts'
import { fillVariables, variableLabels, variableNames } from '#shared/templates/variables.ts'
import type { ShownFile } from './wa-message.tsx'

/** A value that the template needs. `name`: for people. `field`: the request's field of its fault. */
export interface NeededValue {
  /** `file`: a header's image, video or document. */
  readonly part: 'header' | 'body' | 'button' | 'file' | 'offer'
  readonly name: string
  readonly field: string
  readonly format?: MediaFormat
  /** Index in a carousel. Absent: the message itself. */
  readonly card?: number
}

/** True if a header can show such a value. */
export const isFilePlace = (value: string): boolean => isFileHandle(value) || /^https:\/\/\S+$/.test(value)

/** The template's own file there, if it is stored. */
export const keptFileOf = (
  { media }: Pick<Template, 'media'>,
  card: number | null,
): Template['media'][number] | undefined => media.find(one => one.card === card)

/** Typed values, by `field`. */
export type TypedValues = Readonly<Record<string, string>>

/** A template cannot be sent from the chat if it has a location header, or needs values that cannot be entered. */
export const isSendable = (components: readonly TemplateComponent[]): boolean =>
  findComponent(components, 'HEADER')?.format !== 'LOCATION' && !sendingObstacle(components)

const mediaFormatOf = (header: HeaderComponent | undefined): MediaFormat | undefined =>
  mediaFormats.find(format => format === header?.format)

const inText = (part: 'header' | 'body', text = '', field: string): NeededValue[] => {
  const labels = variableLabels(text)
  return variableNames(text).map(name => ({ part, name: labels.get(name) ?? name, field: `${field}.${name}` }))
}

const fileOf = (header: HeaderComponent | undefined, field: string): NeededValue[] => {
  const format = mediaFormatOf(header)
  return format ? [{ part: 'file', name: '', field, format }] : []
}

/** `isCodeKnown`: the body already asks for the one-time code. */
const inButtons = (buttons: readonly TemplateButton[], field: string, isCodeKnown = false): NeededValue[] =>
  buttons.flatMap((button, i) => {
    const isOpen =
      button.type === 'COPY_CODE' ||
      (button.type === 'OTP' && !isCodeKnown) ||
      (button.type === 'URL' && variableNames(button.url).length)
    return isOpen ? [{ part: 'button' as const, name: button.text ?? '', field: `${field}.${i}` }] : []
  })

const buttonsOf = (components: readonly TemplateComponent[]) => findComponent(components, 'BUTTONS')?.buttons ?? []

/** The values to enter, in the order in which the message shows them. */
export const neededValues = (components: readonly TemplateComponent[]): NeededValue[] => {
  const header = findComponent(components, 'HEADER')
  const cards = findComponent(components, 'CAROUSEL')?.cards ?? []
  return [
    ...fileOf(header, 'body.image'),
    ...(header?.format === 'TEXT' ? inText('header', header.text, 'body.headerExample') : []),
    ...inText('body', findComponent(components, 'BODY')?.text, 'body.bodyExample'),
    ...(needsOfferEnd(components) ? [{ part: 'offer' as const, name: '', field: 'body.offerEndsAt' }] : []),
    ...inButtons(buttonsOf(components), 'body.buttonExample', codeNameOf(components) !== undefined),
    ...cards.flatMap(({ components: inside }, card) => {
      const field = `body.cardExample.${card}`
      return [
        ...fileOf(findComponent(inside, 'HEADER'), `${field}.file`),
        ...inText('body', findComponent(inside, 'BODY')?.text, `${field}.body`),
        ...inButtons(buttonsOf(inside), `${field}.buttons`),
      ].map(needed => ({ ...needed, card }))
    }),
  ]
}

/** Default values: headers show the template's own files. */
export const keptValues = (template: Pick<Template, 'components' | 'media'>): TypedValues =>
  Object.fromEntries(
    neededValues(template.components).flatMap(({ part, field, card = null }) => {
      const kept = part === 'file' ? keptFileOf(template, card) : undefined
      return kept ? [[field, kept.handle]] : []
    }),
  )

/** The files shown by a header with this value. Files at an address are not shown. */
export const shownFiles = (
  template: Pick<Template, 'media'>,
  { card, format, value }: { card: number | null; format: MediaFormat; value: string },
): ShownFile[] => {
  const kept = keptFileOf(template, card)
  if (value && value === kept?.handle) return [kept]
  if (!isFileHandle(value)) return []
  const [mime = ''] = headerMedia[format].mimes
  return [{ card, url: fileAddressOf(fileIdOf(value) ?? ''), mime, name: null }]
}

/** The files that the headers currently show. */
export const chosenFiles = (template: Pick<Template, 'components' | 'media'>, values: TypedValues): ShownFile[] =>
  neededValues(template.components).flatMap(({ field, format, card = null }) =>
    format ? shownFiles(template, { card, format, value: values[field] ?? '' }) : [],
  )

const valuesBelow = (values: TypedValues, prefix: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values)
      .filter(([field, value]) => field.startsWith(`${prefix}.`) && value.trim())
      .map(([field, value]) => [field.slice(prefix.length + 1), value.trim()]),
  )

const cardsOf = (values: TypedValues): CardValues => {
  const places = new Set(Object.keys(valuesBelow(values, 'body.cardExample')).map(rest => rest.split('.')[0] ?? ''))
  return Object.fromEntries(
    [...places].map(at => {
      const field = `body.cardExample.${at}`
      const file = values[`${field}.file`]?.trim()
      const [body, buttons] = [valuesBelow(values, `${field}.body`), valuesBelow(values, `${field}.buttons`)]
      return [at, { ...(file ? { file } : {}), body, buttons }]
    }),
  )
}

/** The time of a date and time field in this device's time zone. Invalid input is returned unchanged. */
export const zonedTime = (wall: string): string => {
  const at = new Date(wall)
  return Number.isNaN(at.getTime()) ? wall : at.toISOString()
}

/** Inverse of `zonedTime`. */
export const wallTimeOf = (moment: string): string => {
  const at = new Date(moment)
  if (Number.isNaN(at.getTime())) return ''
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The template's part of a request. */
export const sendBodyOf = (templateId: string, values: TypedValues) => {
  const cards = cardsOf(values)
  return {
    template: templateId,
    bodyExample: valuesBelow(values, 'body.bodyExample'),
    headerExample: valuesBelow(values, 'body.headerExample'),
    buttonExample: valuesBelow(values, 'body.buttonExample'),
    ...(Object.keys(cards).length ? { cardExample: cards } : {}),
    ...(values['body.image']?.trim() ? { image: values['body.image'].trim() } : {}),
    ...(values['body.name']?.trim() ? { name: values['body.name'].trim() } : {}),
    ...(values['body.offerEndsAt'] ? { offerEndsAt: zonedTime(values['body.offerEndsAt']) } : {}),
  }
}
export type TemplateSend = ReturnType<typeof sendBodyOf>

const filled = <T extends TemplateComponent>(component: T, body: Record<string, string>): T =>
  component.type === 'BODY' && component.text ? { ...component, text: fillVariables(component.text, body) } : component

/** The components with values filled in. Missing ones keep their variable. */
export const filledComponents = (components: readonly TemplateComponent[], values: TypedValues): TemplateComponent[] =>
  components.map(component => {
    if (component.type === 'HEADER' && component.format === 'TEXT' && component.text)
      return { ...component, text: fillVariables(component.text, valuesBelow(values, 'body.headerExample')) }
    if (component.type === 'CAROUSEL')
      return {
        ...component,
        cards: component.cards.map((card, at) => ({
          ...card,
          components: card.components.map(one => filled(one, valuesBelow(values, `body.cardExample.${at}.body`))),
        })),
      }
    return filled(component, valuesBelow(values, 'body.bodyExample'))
  })
