import {
  type CarouselCard,
  findComponent,
  type HeaderComponent,
  type TemplateButton,
  type TemplateComponent,
  templateLimits,
} from '#shared/templates/components.ts'
import type { TemplateFault } from '#shared/templates/fault.ts'
import { codeNameOf, needsOfferEnd, readOfferEnd, sendingObstacle } from '#shared/templates/sending.ts'
import { characterCount, fillVariables, variableNames } from '#shared/templates/variables.ts'

type MediaRef = { readonly id: string } | { readonly link: string }

/** The values for the variables of one message, by number or by name. */
export interface TemplateValues {
  readonly body?: Readonly<Record<string, string>>
  readonly header?: {
    readonly values?: Readonly<Record<string, string>>
    /** Must match the header's format: an upload, or a public address. */
    readonly media?: MediaRef
    readonly fileName?: string
    readonly location?: { latitude: number; longitude: number; name?: string; address?: string }
  }
  /**
   * The values of buttons by position: the end of an address, the payload of a tap, the code to copy, or the token of a
   * form.
   */
  readonly buttons?: Readonly<Record<number, string>>
  /** The values of a carousel's cards by position. */
  readonly cards?: Readonly<Record<number, CardValues>>
  /** The end of a limited-time offer: ISO 8601 with offset. */
  readonly offerEndsAt?: string
}

interface CardValues {
  readonly media?: MediaRef
  readonly body?: Readonly<Record<string, string>>
  readonly buttons?: Readonly<Record<number, string>>
}

type PreviewButtons = readonly { text: string; url?: string }[]

export interface TemplatePreview {
  readonly header: string | null
  readonly body: string
  readonly footer: string | null
  readonly buttons: PreviewButtons
  /** A header other than text; null: none. */
  readonly media: PreviewMedia | null
  readonly cards: readonly {
    readonly media: PreviewMedia | null
    readonly body: string
    readonly buttons: PreviewButtons
  }[]
}

interface PreviewMedia {
  readonly format: HeaderComponent['format']
  /** The public address, if it has one. */
  readonly url?: string
  /** The document's name as the customer sees it. */
  readonly name?: string
}

type BuiltTemplate =
  | { readonly message: Record<string, unknown>; readonly preview: TemplatePreview; readonly faults: null }
  | { readonly faults: readonly TemplateFault[] }

interface SendableTemplate {
  readonly name: string
  readonly language: string
  readonly parameterFormat: 'POSITIONAL' | 'NAMED'
  readonly components: readonly TemplateComponent[]
}

type Report = (field: string, code: string, params?: Record<string, string | number>) => void

/** Meta: one line, at most four spaces in a row. */
const valueFault = (value: string | undefined): string | undefined => {
  if (value === undefined || value.trim() === '') return 'valueRequired'
  return /[\r\n\t]| {5,}/.test(value) ? 'valueOneLine' : undefined
}

const maxKept = 200
const keptNames = new Map<string, readonly string[]>()
/** Cached, because thousands get the same text in a row. */
const namesIn = (text: string): readonly string[] => {
  const known = keptNames.get(text)
  if (known) return known
  if (keptNames.size >= maxKept) keptNames.clear()
  const names = variableNames(text)
  keptNames.set(text, names)
  return names
}

const textParameters = (
  text: string,
  values: Readonly<Record<string, string>>,
  place: { field: string; isNamed: boolean; max: number },
  report: Report,
) => {
  const names = namesIn(text)
  for (const name of names) {
    const fault = valueFault(Object.hasOwn(values, name) ? values[name] : undefined)
    if (fault) report(`${place.field}.${name}`, fault, { name })
  }
  const filled = fillVariables(text, values)
  // Cheap check first: a text has at most as many characters as code units.
  const length = filled.length > place.max ? characterCount(filled) : 0
  if (length > place.max) report(place.field, 'tooLong', { max: place.max, length })
  return names.map(name => ({
    type: 'text',
    ...(place.isNamed ? { parameter_name: name } : {}),
    text: values[name] ?? '',
  }))
}

const mediaParameter = (header: HeaderComponent, values: TemplateValues['header'], report: Report) => {
  const kind = header.format.toLowerCase()
  if (header.format === 'LOCATION') {
    if (!values?.location) return report('header.location', 'valueRequired', { name: 'location' })
    return { type: kind, location: values.location }
  }
  if (!values?.media) return report('header.media', 'fileRequired')
  const name = header.format === 'DOCUMENT' && values.fileName ? { filename: values.fileName } : {}
  return { type: kind, [kind]: { ...values.media, ...name } }
}

const buttonComponent = (button: TemplateButton, index: number, value: string | undefined, report: Report) => {
  const base = { type: 'button', index: String(index) }
  const field = `buttons.${index}`
  if (button.type === 'QUICK_REPLY')
    return value === undefined
      ? []
      : [{ ...base, sub_type: 'quick_reply', parameters: [{ type: 'payload', payload: value }] }]
  // Meta requires a token for each form; this is its own default.
  if (button.type === 'FLOW')
    return [{ ...base, sub_type: 'flow', parameters: [{ type: 'action', action: { flow_token: value ?? 'unused' } }] }]
  const needsUrl = (button.type === 'URL' && variableNames(button.url).length > 0) || button.type === 'OTP'
  if (!needsUrl && button.type !== 'COPY_CODE') return []
  const fault = valueFault(value)
  if (fault) {
    report(field, fault, { name: button.text ?? button.type })
    return []
  }
  if (button.type === 'COPY_CODE') {
    if (characterCount(value as string) > 15)
      report(field, 'tooLong', { max: 15, length: characterCount(value as string) })
    return [{ ...base, sub_type: 'copy_code', parameters: [{ type: 'coupon_code', coupon_code: value }] }]
  }
  return [{ ...base, sub_type: 'url', parameters: [{ type: 'text', text: value }] }]
}

const previewButton = (button: TemplateButton, value: string | undefined) => {
  if (button.type !== 'URL') return { text: button.text ?? '' }
  const [name] = variableNames(button.url)
  return { text: button.text, url: name && value ? fillVariables(button.url, { [name]: value }) : button.url }
}

const buttonsOf = (components: readonly TemplateComponent[]) => findComponent(components, 'BUTTONS')?.buttons ?? []

const previewMedia = (
  header: HeaderComponent | undefined,
  { media, fileName }: NonNullable<TemplateValues['header']> = {},
): PreviewMedia | null =>
  header && header.format !== 'TEXT'
    ? {
        format: header.format,
        ...(media && 'link' in media ? { url: media.link } : {}),
        ...(header.format === 'DOCUMENT' && fileName ? { name: fileName } : {}),
      }
    : null

const offerComponents = ({ components }: SendableTemplate, { offerEndsAt = '' }: TemplateValues, report: Report) => {
  if (!needsOfferEnd(components)) return []
  const endsAt = readOfferEnd(offerEndsAt)
  if (endsAt === undefined) report('offer.endsAt', 'offerEnd')
  const offer = { type: 'limited_time_offer', limited_time_offer: { expiration_time_ms: endsAt } }
  return [{ type: 'limited_time_offer', parameters: [offer] }]
}

/** A card with its values, as sent and as shown. */
const buildCard = (
  { components }: CarouselCard,
  values: CardValues,
  { at, isNamed }: { at: number; isNamed: boolean },
  report: Report,
) => {
  const parts: unknown[] = []
  const header = findComponent(components, 'HEADER')
  const parameter = header && mediaParameter(header, values, report)
  if (parameter) parts.push({ type: 'header', parameters: [parameter] })
  const text = findComponent(components, 'BODY')?.text ?? ''
  const place = { field: 'body', isNamed, max: templateLimits.cardBody }
  const parameters = textParameters(text, values.body ?? {}, place, report)
  if (parameters.length) parts.push({ type: 'body', parameters })
  const buttons = buttonsOf(components)
  for (const [index, button] of buttons.entries())
    parts.push(...buttonComponent(button, index, values.buttons?.[index], report))
  return {
    message: { card_index: at, components: parts },
    preview: {
      media: previewMedia(header, values),
      body: fillVariables(text, values.body ?? {}),
      buttons: buttons.map((button, index) => previewButton(button, values.buttons?.[index])),
    },
  }
}

/**
 * Builds the `template` part of a message to one person, with its preview. Pure. Faults are named `body.1`,
 * `header.media`, `buttons.0`, `offer.endsAt`, `cards.0.header.media`, `cards.0.body.1`, `cards.0.buttons.0`, and
 * `template` if it cannot be sent from here; with a fault nothing may be sent.
 * @see Meta, "Cloud API › Template messages", "Media card carousel templates"
 */
export function buildTemplateMessage(template: SendableTemplate, values: TemplateValues): BuiltTemplate {
  const faults: TemplateFault[] = []
  const report: Report = (field, code, params = {}) => void faults.push({ field, code, params })
  const obstacle = sendingObstacle(template.components)
  if (obstacle) return { faults: [{ field: 'template', code: obstacle, params: {} }] }
  const isNamed = template.parameterFormat === 'NAMED'
  const components: unknown[] = []
  const header = findComponent(template.components, 'HEADER')
  const headerValues = values.header?.values ?? {}
  if (header?.format === 'TEXT') {
    const parameters = textParameters(header.text ?? '', headerValues, { field: 'header', isNamed, max: 60 }, report)
    if (parameters.length) components.push({ type: 'header', parameters })
  } else if (header) {
    const parameter = mediaParameter(header, values.header, report)
    if (parameter) components.push({ type: 'header', parameters: [parameter] })
  }
  const text = findComponent(template.components, 'BODY')?.text ?? ''
  const parameters = textParameters(text, values.body ?? {}, { field: 'body', isNamed, max: 1024 }, report)
  if (parameters.length) components.push({ type: 'body', parameters })
  components.push(...offerComponents(template, values, report))
  const buttons = buttonsOf(template.components)
  const codeName = codeNameOf(template.components)
  for (const [index, button] of buttons.entries()) {
    const isOfBody = button.type === 'OTP' && codeName !== undefined
    const code = isOfBody ? values.body?.[codeName] : undefined
    // A missing code is reported as a fault of the body.
    if (!isOfBody || code) components.push(...buttonComponent(button, index, code ?? values.buttons?.[index], report))
  }
  const cards = (findComponent(template.components, 'CAROUSEL')?.cards ?? []).map((card, at) =>
    buildCard(card, values.cards?.[at] ?? {}, { at, isNamed }, (field, ...rest) =>
      report(`cards.${at}.${field}`, ...rest),
    ),
  )
  if (cards.length) components.push({ type: 'carousel', cards: cards.map(({ message }) => message) })
  if (faults.length) return { faults }
  return {
    faults: null,
    message: {
      name: template.name,
      language: { code: template.language },
      ...(components.length ? { components } : {}),
    },
    preview: {
      header: header?.format === 'TEXT' ? fillVariables(header.text ?? '', headerValues) : null,
      body: fillVariables(text, values.body ?? {}),
      footer: findComponent(template.components, 'FOOTER')?.text ?? null,
      buttons: buttons.map((button, index) => previewButton(button, values.buttons?.[index])),
      media: previewMedia(header, values.header),
      cards: cards.map(({ preview }) => preview),
    },
  }
}
