import { exampleFor, examplesOf } from '#client/templates/example-values.ts'
import type { Template, TemplateDraft, TemplateMedia } from '#shared/templates/api.ts'
import {
  type BodyComponent,
  type ButtonType,
  type CarouselCard,
  findComponent,
  type HeaderComponent,
  type HeaderFormat,
  type MediaFormat,
  mediaFormats,
  type OtpType,
  type SupportedApp,
  type TemplateButton,
  type TemplateComponent,
} from '#shared/templates/components.ts'
import { isNumber, variableNames } from '#shared/templates/variables.ts'
import type { ParameterFormat, TemplateCategory } from '#shared/templates/words.ts'

/** A header's file: `handle` is sent, the rest is shown. */
export type FileForm = Pick<TemplateMedia, 'handle'> & Partial<Pick<TemplateMedia, 'url' | 'mime' | 'name' | 'size'>>

export interface HeaderForm {
  readonly kind: HeaderFormat | 'NONE'
  readonly text: string
  readonly examples: Readonly<Record<string, string>>
  readonly file: FileForm | null
}

export interface ButtonForm {
  /** A key of its own, because the order changes. */
  readonly key: string
  readonly type: ButtonType
  readonly text: string
  readonly url: string
  readonly phone: string
  /** For the address, or the code to copy. */
  readonly example: string
  readonly flowId: string
  /** Properties this form does not show, unchanged. */
  readonly rest: Readonly<Record<string, unknown>>
}

export interface CardForm {
  readonly key: string
  readonly format: 'IMAGE' | 'VIDEO'
  readonly file: FileForm | null
  readonly body: string
  readonly examples: Readonly<Record<string, string>>
  readonly buttons: readonly ButtonForm[]
}

export interface CodeForm {
  readonly recommends: boolean
  /** Minutes as typed. Empty: not stated. */
  readonly minutes: string
  readonly type: OtpType
  readonly text: string
  readonly autofill: string
  readonly apps: readonly SupportedApp[]
  readonly accepted: boolean
}

/** A template while it is edited. Invalid input is kept. */
export interface TemplateForm {
  readonly name: string
  readonly language: string
  readonly category: TemplateCategory
  readonly format: ParameterFormat
  readonly kind: 'MESSAGE' | 'CAROUSEL'
  readonly header: HeaderForm
  readonly body: string
  readonly examples: Readonly<Record<string, string>>
  readonly footer: string
  readonly buttons: readonly ButtonForm[]
  readonly cards: readonly CardForm[]
  readonly offer: { readonly text: string; readonly expires: boolean } | null
  readonly code: CodeForm
  readonly asksToCall: boolean
  /** Seconds as typed. Empty: default. */
  readonly ttl: string
}

/** A key of a row, or of an attempt to submit. Random, so that keys stored in the browser do not collide. */
export const newKey = (): string => crypto.randomUUID()

const noHeader: HeaderForm = { kind: 'NONE', text: '', examples: {}, file: null }
const newCode: CodeForm = {
  recommends: true,
  minutes: '10',
  type: 'COPY_CODE',
  text: '',
  autofill: '',
  apps: [{ package_name: '', signature_hash: '' }],
  accepted: false,
}

export const emptyForm = (language: string): TemplateForm => ({
  name: '',
  language,
  category: 'UTILITY',
  format: 'POSITIONAL',
  kind: 'MESSAGE',
  header: noHeader,
  body: '',
  examples: {},
  footer: '',
  buttons: [],
  cards: [],
  offer: null,
  code: newCode,
  asksToCall: false,
  ttl: '',
})

export const newButton = (type: ButtonType): ButtonForm => ({
  key: newKey(),
  type,
  text: '',
  url: type === 'URL' ? 'https://' : '',
  phone: '',
  example: '',
  flowId: '',
  rest: {},
})

export const newCard = (like?: CardForm): CardForm => ({
  key: newKey(),
  format: like?.format ?? 'IMAGE',
  file: null,
  body: '',
  examples: {},
  buttons: like ? like.buttons.map(({ type }) => newButton(type)) : [newButton('QUICK_REPLY')],
})

const isMedia = (kind: string): kind is MediaFormat => (mediaFormats as readonly string[]).includes(kind)

const examplesFor = (
  text: string,
  examples: Readonly<Record<string, string>>,
  format: ParameterFormat,
): readonly string[] | readonly { param_name: string; example: string }[] | undefined => {
  const names = variableNames(text)
  if (!names.length) return undefined
  if (format === 'NAMED') return names.map(name => ({ param_name: name, example: exampleFor(examples, name) }))
  return names.filter(isNumber).map(name => exampleFor(examples, name))
}

const headerOf = ({ kind, text, examples, file }: HeaderForm, format: ParameterFormat): HeaderComponent | undefined => {
  if (kind === 'NONE') return undefined
  if (isMedia(kind)) return { type: 'HEADER', format: kind, example: { header_handle: [file?.handle ?? ''] } }
  if (kind !== 'TEXT') return { type: 'HEADER', format: kind }
  const given = examplesFor(text, examples, format)
  const key = format === 'NAMED' ? 'header_text_named_params' : 'header_text'
  return { type: 'HEADER', format: 'TEXT', text, ...(given ? { example: { [key]: given } } : {}) }
}

const bodyOf = (text: string, examples: Readonly<Record<string, string>>, format: ParameterFormat): BodyComponent => {
  const given = examplesFor(text, examples, format)
  if (!given) return { type: 'BODY', text }
  return {
    type: 'BODY',
    text,
    example: (format === 'NAMED' ? { body_text_named_params: given } : { body_text: [given] }) as NonNullable<
      BodyComponent['example']
    >,
  }
}

const buttonOf = ({ type, text, url, phone, example, flowId, rest }: ButtonForm): TemplateButton => {
  switch (type) {
    case 'URL':
      return { type, text, url, ...(variableNames(url).length ? { example: [example] } : {}) }
    case 'PHONE_NUMBER':
      return { type, text, phone_number: phone }
    case 'COPY_CODE':
      return { type, example }
    case 'FLOW':
      return { ...rest, type, text, ...(rest.flow_name || rest.flow_json ? {} : { flow_id: flowId }) }
    case 'QUICK_REPLY':
      return { type, text }
    default:
      return { ...rest, type, ...(text || type === 'VOICE_CALL' ? { text } : {}) } as TemplateButton
  }
}

const cardOf = ({ format, file, body, examples, buttons }: CardForm, variables: ParameterFormat): CarouselCard => ({
  components: [
    { type: 'HEADER', format, example: { header_handle: [file?.handle ?? ''] } },
    ...(body ? [bodyOf(body, examples, variables)] : []),
    { type: 'BUTTONS', buttons: buttons.map(buttonOf) },
  ],
})

const codeComponents = ({
  recommends,
  minutes,
  type,
  text,
  autofill,
  apps,
  accepted,
}: CodeForm): TemplateComponent[] => [
  { type: 'BODY', add_security_recommendation: recommends },
  ...(minutes.trim() ? [{ type: 'FOOTER', code_expiration_minutes: Number(minutes) } as const] : []),
  {
    type: 'BUTTONS',
    buttons: [
      {
        type: 'OTP',
        otp_type: type,
        ...(text ? { text } : {}),
        ...(type === 'COPY_CODE'
          ? {}
          : { ...(autofill ? { autofill_text: autofill } : {}), supported_apps: [...apps] }),
        ...(type === 'ZERO_TAP' ? { zero_tap_terms_accepted: accepted } : {}),
      },
    ],
  },
]

const componentsOf = (form: TemplateForm): TemplateComponent[] => {
  if (form.category === 'AUTHENTICATION') return codeComponents(form.code)
  const body = bodyOf(form.body, form.examples, form.format)
  if (form.kind === 'CAROUSEL')
    return [body, { type: 'CAROUSEL', cards: form.cards.map(card => cardOf(card, form.format)) }]
  const header = headerOf(form.header, form.format)
  const { offer } = form
  return [
    ...(header ? [header] : []),
    ...(offer
      ? [
          {
            type: 'LIMITED_TIME_OFFER',
            limited_time_offer: { text: offer.text, has_expiration: offer.expires },
          } as const,
        ]
      : []),
    body,
    ...(form.footer && !offer ? [{ type: 'FOOTER', text: form.footer } as const] : []),
    ...(form.asksToCall ? [{ type: 'CALL_PERMISSION_REQUEST' } as const] : []),
    ...(form.buttons.length ? [{ type: 'BUTTONS', buttons: form.buttons.map(buttonOf) } as const] : []),
  ]
}

/** The draft to check, preview and submit. */
export const draftOf = (form: TemplateForm): TemplateDraft => ({
  name: form.name,
  language: form.language,
  category: form.category,
  ...(form.category === 'AUTHENTICATION' ? {} : { parameterFormat: form.format }),
  components: componentsOf(form),
  ...(form.ttl.trim() ? { ttlSeconds: Number(form.ttl) } : {}),
})

const shownButtonKeys = new Set(['type', 'text', 'url', 'phone_number', 'example', 'flow_id'])

const buttonForm = (button: TemplateButton): ButtonForm => {
  const loose = button as unknown as Record<string, unknown>
  const example = Array.isArray(loose.example) ? loose.example[0] : loose.example
  const word = (key: string) => String(loose[key] ?? '')
  return {
    key: newKey(),
    type: button.type,
    text: word('text'),
    url: word('url'),
    phone: word('phone_number'),
    example: String(example ?? ''),
    flowId: word('flow_id'),
    rest: Object.fromEntries(Object.entries(loose).filter(([key]) => !shownButtonKeys.has(key))),
  }
}

const fileForm = (
  header: HeaderComponent | undefined,
  card: number | null,
  files: Template['media'],
): FileForm | null => {
  const [handle] = header?.example?.header_handle ?? []
  if (!handle) return null
  const kept = files.find(one => one.card === card && one.handle === handle)
  return kept ? { handle, url: kept.url, mime: kept.mime, name: kept.name, size: kept.size } : { handle }
}

const cardForm = (card: CarouselCard, at: number, files: Template['media']): CardForm => {
  const header = findComponent(card.components, 'HEADER')
  const body = findComponent(card.components, 'BODY')
  return {
    key: newKey(),
    format: header?.format === 'VIDEO' ? 'VIDEO' : 'IMAGE',
    file: fileForm(header, at, files),
    body: body?.text ?? '',
    examples: examplesOf(body?.text ?? '', body?.example),
    buttons: (findComponent(card.components, 'BUTTONS')?.buttons ?? []).map(buttonForm),
  }
}

const codeForm = (components: readonly TemplateComponent[]): CodeForm => {
  const minutes = findComponent(components, 'FOOTER')?.code_expiration_minutes
  const otp = findComponent(components, 'BUTTONS')?.buttons.find(one => one.type === 'OTP')
  return {
    recommends: findComponent(components, 'BODY')?.add_security_recommendation === true,
    minutes: minutes === undefined ? '' : String(minutes),
    type: otp?.otp_type ?? 'COPY_CODE',
    text: otp?.text ?? '',
    autofill: otp?.autofill_text ?? '',
    apps: otp?.supported_apps?.length ? otp.supported_apps : newCode.apps,
    accepted: otp?.zero_tap_terms_accepted === true,
  }
}

/** The form of a template. */
export const formOf = (template: Template): TemplateForm => {
  const { components, media, ttlSeconds } = template
  const header = findComponent(components, 'HEADER')
  const body = findComponent(components, 'BODY')?.text ?? ''
  const carousel = findComponent(components, 'CAROUSEL')
  const offer = findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer
  const isCode = template.category === 'AUTHENTICATION'
  return {
    name: template.name,
    language: template.language,
    category: template.category,
    format: template.parameterFormat,
    kind: carousel ? 'CAROUSEL' : 'MESSAGE',
    header: {
      kind: header && header.format !== 'PRODUCT' ? header.format : 'NONE',
      text: header?.text ?? '',
      examples: examplesOf(header?.text ?? '', header?.example),
      file: fileForm(header, null, media),
    },
    body: isCode ? '' : body,
    examples: examplesOf(body, findComponent(components, 'BODY')?.example),
    footer: findComponent(components, 'FOOTER')?.text ?? '',
    buttons: isCode ? [] : (findComponent(components, 'BUTTONS')?.buttons ?? []).map(buttonForm),
    cards: (carousel?.cards ?? []).map((card, at) => cardForm(card, at, media)),
    offer: offer ? { text: offer.text, expires: offer.has_expiration === true } : null,
    code: isCode ? codeForm(components) : newCode,
    asksToCall: findComponent(components, 'CALL_PERMISSION_REQUEST') !== undefined,
    ttl: ttlSeconds === null ? '' : String(ttlSeconds),
  }
}

/** Files that can be previewed. */
export const filesOf = (form: TemplateForm) => {
  const shown = (file: FileForm | null, card: number | null) =>
    file?.url ? [{ card, url: file.url, mime: file.mime ?? '', name: file.name ?? null }] : []
  return form.kind === 'CAROUSEL'
    ? form.cards.flatMap(({ file }, at) => shown(file, at))
    : shown(form.header.file, null)
}
