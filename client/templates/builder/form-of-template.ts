import type { Template } from '#shared/templates/api.ts'
import {
  type CarouselCard,
  findComponent,
  type HeaderComponent,
  type TemplateButton,
  type TemplateComponent,
} from '#shared/templates/components.ts'
import { isCodeCategory } from '#shared/templates/words.ts'
import { examplesOf } from '../example-values.ts'
import {
  type ButtonForm,
  type CardForm,
  type CodeForm,
  type FileForm,
  newCode,
  newKey,
  type TemplateForm,
} from './form.ts'

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

export const templateForm = (template: Template): TemplateForm => {
  const { components, media, ttlSeconds } = template
  const header = findComponent(components, 'HEADER')
  const body = findComponent(components, 'BODY')?.text ?? ''
  const carousel = findComponent(components, 'CAROUSEL')
  const offer = findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer
  const isCode = isCodeCategory(template.category)
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
