import type { TemplateDraft } from './api.ts'
import { checkButtons } from './check-buttons.ts'
import { checkExamples, checkFixed, checkLength, checkPlaces, checkVariables } from './check-text.ts'
import { buttonTypes, headerFormats, templateLimits as limits, mediaFormats } from './components.ts'
import { asRecord, asText, type Loose, type Report, reportInto, type TemplateFault } from './fault.ts'
import { isTemplateLanguage } from './languages.ts'
import { isNumber, variableNames, variablesIn } from './variables.ts'
import { isCodeCategory, type ParameterFormat, templateCategories } from './words.ts'

type Check = (component: Loose, report: Report, template: TemplateFacts) => void

interface TemplateFacts {
  readonly format: ParameterFormat
  readonly category: string
  readonly isCard: boolean
  readonly bodyMax: number
}

const media = (component: Loose, report: Report) => {
  const handles = asRecord(component.example)?.header_handle
  const handle = Array.isArray(handles) ? handles[0] : handles
  if (!asText(handle)?.trim()) report('example.header_handle', 'fileRequired')
}

const headerText = (component: Loose, report: Report, { format }: TemplateFacts) => {
  const text = checkLength(component, 'text', limits.headerText, report)
  if (text === undefined) return
  if (/[\r\n]/.test(text)) return report('text', 'oneLine')
  if (/\p{Extended_Pictographic}/u.test(text)) return report('text', 'noEmoji')
  if (/[*_~`]/.test(text.replace(/\{\{[^{}]*\}\}/g, ''))) return report('text', 'noMarks')
  if (variablesIn(text).length > 1) return report('text', 'headerOneVariable')
  if (!checkVariables(text, format, 'text', report)) return
  const where = { format, named: 'header_text_named_params', positional: 'header_text', nested: false }
  checkExamples(text, component.example, where, report)
}

const header: Check = (component, report, template) => {
  const format = asText(component.format) ?? ''
  const allowed: readonly string[] = template.isCard ? ['IMAGE', 'VIDEO', 'PRODUCT'] : headerFormats
  if (!allowed.includes(format)) report('format', 'headerFormat')
  else if ((mediaFormats as readonly string[]).includes(format)) media(component, report)
  else if (format === 'TEXT') headerText(component, report, template)
}

const body: Check = (component, report, { format, bodyMax }) => {
  const text = checkLength(component, 'text', bodyMax, report)
  if (text === undefined || !checkVariables(text, format, 'text', report)) return
  checkPlaces(text, 'text', report)
  const where = { format, named: 'body_text_named_params', positional: 'body_text', nested: true }
  checkExamples(text, component.example, where, report)
}

const ordinaryButtons = buttonTypes.filter(type => type !== 'OTP')
const buttons: Check = (component, report, { format, isCard }) =>
  checkButtons(
    component,
    {
      format,
      max: isCard ? limits.cardButtons : limits.buttons,
      types: isCard ? ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'SPM'] : ordinaryButtons,
    },
    report,
  )

const offer: Check = (component, report) => {
  const part = asRecord(component.limited_time_offer)
  if (!part) return report('limited_time_offer', 'required')
  checkFixed(part, 'text', limits.offerText, (field, code, params) =>
    report(`limited_time_offer.${field}`, code, params),
  )
}

/** All cards of a carousel must have the same shape. */
const shapeOf = (card: Loose): string =>
  (Array.isArray(card.components) ? card.components : [])
    .map(one => {
      const { type, format, buttons: list } = asRecord(one) ?? {}
      const kinds = Array.isArray(list) ? list.map(button => asRecord(button)?.type).join('+') : ''
      return `${type}:${format ?? ''}:${kinds}`
    })
    .sort()
    .join(' ')

const carousel: Check = (component, report, template) => {
  const cards: readonly unknown[] = Array.isArray(component.cards) ? component.cards : []
  if (cards.length < limits.minCards || cards.length > limits.maxCards)
    return report('cards', 'cardCount', { min: limits.minCards, max: limits.maxCards })
  const facts = { ...template, isCard: true, bodyMax: limits.cardBody }
  for (const [i, one] of cards.entries()) {
    const card = asRecord(one) ?? {}
    const inCard: Report = (field, code, params) => report(`cards.${i}.${field}`, code, params)
    const types = checkList(card.components, cardChecks, inCard, facts)
    for (const type of ['HEADER', 'BUTTONS'])
      if (!types.includes(type)) inCard('components', type === 'HEADER' ? 'cardHeader' : 'cardButtons')
    if (i > 0 && shapeOf(card) !== shapeOf(asRecord(cards[0]) ?? {})) inCard('components', 'cardsDiffer')
  }
}

const cardChecks: Readonly<Record<string, Check>> = { HEADER: header, BODY: body, BUTTONS: buttons }

const ordinary: Readonly<Record<string, Check>> = {
  HEADER: header,
  BODY: body,
  FOOTER: (component, report) => checkFixed(component, 'text', limits.footer, report),
  BUTTONS: buttons,
  CAROUSEL: carousel,
  LIMITED_TIME_OFFER: offer,
  CALL_PERMISSION_REQUEST: () => {},
}

/** A one-time code: Meta writes the text; one button, no header. @see Meta, "Authentication templates" */
const oneTimeCode: Readonly<Record<string, Check>> = {
  BODY: (component, report) => {
    if (component.text !== undefined) report('text', 'codeOwnText')
  },
  FOOTER: (component, report) => {
    const minutes = component.code_expiration_minutes
    const fits = typeof minutes === 'number' && Number.isInteger(minutes)
    if (component.text !== undefined) report('text', 'codeOwnText')
    else if (!fits || minutes < limits.minCodeMinutes || minutes > limits.maxCodeMinutes)
      report('code_expiration_minutes', 'range', { min: limits.minCodeMinutes, max: limits.maxCodeMinutes })
  },
  BUTTONS: (component, report, { format }) => checkButtons(component, { format, max: 1, types: ['OTP'] }, report),
}

/** Each component at most once and of an allowed type. Returns their types. */
const checkList = (
  list: unknown,
  checks: Readonly<Record<string, Check>>,
  report: Report,
  template: TemplateFacts,
): readonly string[] => {
  const components: readonly unknown[] = Array.isArray(list) ? list : []
  const types = components.map(one => asText(asRecord(one)?.type) ?? '')
  for (const [i, one] of components.entries()) {
    const type = types[i] as string
    const inside: Report = (field, code, params) => report(`components.${i}.${field}`, code, params)
    const check = Object.hasOwn(checks, type) ? checks[type] : undefined
    if (!check) inside('type', Object.hasOwn(ordinary, type) ? 'componentNotHere' : 'componentUnknown')
    else if (types.indexOf(type) !== i) inside('type', 'componentTwice')
    else check(asRecord(one) as Loose, inside, template)
  }
  return types
}

const ttlOf: Readonly<Record<string, readonly [number, number]>> = {
  AUTHENTICATION: [30, 900],
  UTILITY: [30, 43_200],
  MARKETING: [43_200, 2_592_000],
}

const checkTtl = (ttl: number | undefined, category: string, report: Report) => {
  const [min, max] = ttlOf[category] ?? [0, 0]
  if (ttl !== undefined && ttl !== -1 && (ttl < min || ttl > max)) report('ttlSeconds', 'range', { min, max })
}

const checkTogether = (types: readonly string[], report: Report) => {
  if (!types.includes('BODY')) report('components', 'bodyRequired')
  if (types.includes('CAROUSEL')) {
    const stray = types.findIndex(type => !['BODY', 'CAROUSEL', ''].includes(type))
    if (stray >= 0) report(`components.${stray}.type`, 'besideCarousel')
  }
  if (types.includes('LIMITED_TIME_OFFER') && types.includes('FOOTER'))
    report(`components.${types.indexOf('FOOTER')}.type`, 'besideOffer')
}

const textsOf = (value: unknown, depth = 0): string[] => {
  const part = asRecord(value)
  if (!part || depth > 4) return []
  const lists = [part.components, part.cards, part.buttons].flatMap(list => (Array.isArray(list) ? list : []))
  return [part.text, part.url].flatMap(text => asText(text) ?? []).concat(lists.flatMap(one => textsOf(one, depth + 1)))
}

/** The style of variables, from the template or detected from its texts. */
export const parameterFormatOf = (template: Pick<TemplateDraft, 'components' | 'parameterFormat'>): ParameterFormat =>
  template.parameterFormat ??
  (textsOf({ components: template.components })
    .flatMap(variableNames)
    .some(name => !isNumber(name))
    ? 'NAMED'
    : 'POSITIONAL')

/**
 * Checks a template against Meta's rules that are known in advance. Empty: it can be submitted. Accepts any input and
 * never throws. Files are only checked for presence. @see Meta, "Templates › Components", "Template review"
 */
export function checkTemplate(template: TemplateDraft): TemplateFault[] {
  const faults: TemplateFault[] = []
  const report = reportInto(faults, '')
  const { name, language, category, components, ttlSeconds } = template
  if (name === '') report('name', 'required')
  else if (name.length > limits.name) report('name', 'tooLong', { max: limits.name, length: name.length })
  else if (!/^[a-z0-9_]+$/.test(name)) report('name', 'nameCharacters')
  if (language === '') report('language', 'required')
  else if (!isTemplateLanguage(language)) report('language', 'languageUnknown', { language: language.slice(0, 20) })
  if (!(templateCategories as readonly string[]).includes(category)) report('category', 'unknownValue')
  checkTtl(ttlSeconds, category, report)
  const isCode = isCodeCategory(category)
  const hasOffer = components.some(one => asRecord(one)?.type === 'LIMITED_TIME_OFFER')
  const facts = {
    format: parameterFormatOf(template),
    category,
    isCard: false,
    bodyMax: hasOffer ? limits.offerBody : limits.body,
  }
  const types = checkList(components, isCode ? oneTimeCode : ordinary, report, facts)
  checkTogether(types, report)
  if (isCode && !types.includes('BUTTONS')) report('components', 'codeButton')
  return faults
}
