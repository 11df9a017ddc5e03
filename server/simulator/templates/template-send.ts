import type { Db } from '#server/platform/db/database.ts'
import { asList, asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { codeError, type GraphError, paramError } from '#server/whatsapp/serving/graph-error.ts'
import { templateLimits } from '#shared/templates/components.ts'
import { characterCount, fillVariables, variableNames } from '#shared/templates/variables.ts'
import { listByName } from './template-store.ts'

const parametersOf = (part: Json, type: string): readonly unknown[] => {
  const component = asList(part.components).find(one => asText(asObject(one)?.type)?.toLowerCase() === type)
  return asList(asObject(component)?.parameters)
}

const valuesIn = (parameters: readonly unknown[]): string[] =>
  parameters.flatMap(parameter => asText(asObject(parameter)?.text) ?? [])

/** Meta's rule: one line, at most four spaces in a row. */
const isBadValue = (value: string): boolean => value.trim() === '' || /[\r\n\t]| {5,}/.test(value)

const badFormat = (details: string) => codeError(132012, details)

interface ValuePlace {
  /** The place as in the error's text: `header`, `card 0 body`. */
  readonly named: string
  readonly max: number
}

const findValueError = (
  text: string,
  given: readonly unknown[],
  { named, max }: ValuePlace,
): GraphError | undefined => {
  if (valuesIn(given).some(isBadValue))
    return badFormat(`${named}: Param text cannot have new-line/tab characters or more than 4 consecutive spaces`)
  const names = variableNames(text)
  const filled = given.map((parameter, i) => [
    asText(asObject(parameter)?.parameter_name) ?? names[i] ?? '',
    asText(asObject(parameter)?.text) ?? '',
  ])
  return characterCount(fillVariables(text, Object.fromEntries(filled))) > max
    ? codeError(132005, `${named}: Translated text too long`)
    : undefined
}

/** A media header requires a file of its kind. */
const findMediaHeaderError = (format: string, given: readonly unknown[]): GraphError | undefined => {
  const kind = format.toLowerCase()
  const parameter = asObject(given[0])
  return asText(parameter?.type) === kind && asObject(parameter?.[kind])
    ? undefined
    : badFormat(
        `header: Format mismatch, expected ${format}, received ${asText(parameter?.type)?.toUpperCase() ?? 'UNKNOWN'}`,
      )
}

/** Buttons that need a component in every send. */
const alwaysGiven = new Set<unknown>(['COPY_CODE', 'OTP', 'FLOW', 'MPM', 'SPM', 'ORDER_DETAILS'])

const needsValue = (button: Json): boolean =>
  alwaysGiven.has(button.type) || (button.type === 'URL' && variableNames(asText(button.url) ?? '').length > 0)

const findButtonError = (components: readonly unknown[], part: Json): GraphError | undefined => {
  const buttons = asList(asObject(components.find(one => asObject(one)?.type === 'BUTTONS'))?.buttons).map(
    one => asObject(one) ?? {},
  )
  const given = asList(part.components)
    .map(one => asObject(one) ?? {})
    .filter(one => asText(one.type)?.toLowerCase() === 'button')
  for (const one of given)
    if (!buttons[Number(one.index)])
      return paramError('Invalid parameter', `buttons: There is no button at index ${one.index}`)
  const missing = buttons.findIndex(
    (button, i) =>
      needsValue(button) && !given.some(one => Number(one.index) === i && asList(one.parameters).length > 0),
  )
  return missing < 0
    ? undefined
    : codeError(131008, `buttons: Button at index ${missing} of type ${buttons[missing]?.type} requires a parameter`)
}

interface GivenPart {
  readonly components: readonly unknown[]
  readonly part: Json
  readonly isNamed: boolean
  /** Prefix of a component's name in an error. */
  readonly within: string
  readonly bodyMax: number
}

const findPartError = (type: 'header' | 'body', { components, part, ...of }: GivenPart): GraphError | undefined => {
  const component = asObject(components.find(one => asObject(one)?.type === type.toUpperCase()))
  const names = variableNames(asText(component?.text) ?? '')
  const given = parametersOf(part, type)
  const named = `${of.within}${type}`
  const isMedia = type === 'header' && !['TEXT', undefined].includes(asText(component?.format))
  const expected = isMedia ? 1 : names.length
  if (given.length !== expected)
    return codeError(
      132000,
      `${named}: number of localizable_params (${given.length}) does not match the expected number of params (${expected})`,
    )
  if (isMedia) return findMediaHeaderError(asText(component?.format) ?? '', given)
  if (of.isNamed && names.some(one => !given.some(parameter => asObject(parameter)?.parameter_name === one)))
    return paramError('Invalid parameter', 'Parameter name is missing or empty')
  return findValueError(asText(component?.text) ?? '', given, { named, max: type === 'header' ? 60 : of.bodyMax })
}

const findErrorWithin = (asked: GivenPart): GraphError | undefined =>
  findPartError('header', asked) ?? findPartError('body', asked) ?? findButtonError(asked.components, asked.part)

/** A limited-time offer requires an end in the future. */
const findOfferError = (components: readonly unknown[], part: Json, now: number): GraphError | undefined => {
  const offer = asObject(components.find(one => asObject(one)?.type === 'LIMITED_TIME_OFFER'))?.limited_time_offer
  if (asObject(offer)?.has_expiration !== true) return undefined
  const [parameter] = parametersOf(part, 'limited_time_offer')
  const endsAt = asObject(asObject(parameter)?.limited_time_offer)?.expiration_time_ms
  if (endsAt === undefined)
    return codeError(132012, 'limited_time_offer: expected one parameter with expiration_time_ms')
  return typeof endsAt === 'number' && endsAt > now
    ? undefined
    : codeError(131009, 'limited_time_offer: expiration_time_ms must be a time in the future')
}

/** A carousel requires values for each of its cards. */
const findCarouselError = (components: readonly unknown[], part: Json, isNamed: boolean): GraphError | undefined => {
  const cards = asList(asObject(components.find(one => asObject(one)?.type === 'CAROUSEL'))?.cards)
  const carousel = asList(part.components).find(one => asText(asObject(one)?.type)?.toLowerCase() === 'carousel')
  const given = asList(asObject(carousel)?.cards).map(one => asObject(one) ?? {})
  const isEach = cards.every((_, at) => given.some(one => Number(one.card_index) === at))
  if (given.length !== cards.length || !isEach)
    return codeError(
      132012,
      `carousel: number of cards (${given.length}) does not match the expected (${cards.length})`,
    )
  for (const [at, card] of cards.entries()) {
    const error = findErrorWithin({
      components: asList(asObject(card)?.components),
      part: given.find(one => Number(one.card_index) === at) ?? {},
      isNamed,
      within: `card ${at} `,
      bodyMax: templateLimits.cardBody,
    })
    if (error) return error
  }
  return undefined
}

/**
 * The error of a template send; undefined: none. @see Meta, "Error codes › Template errors": 131008, 132000, 132001,
 * 132005, 132012, 132015, 132016
 */
export async function findTemplateError(
  db: Db,
  orgId: string,
  message: Json,
  now: number,
): Promise<GraphError | undefined> {
  const part = asObject(message.template) ?? {}
  const name = asText(part.name) ?? ''
  const language = asText(asObject(part.language)?.code) ?? ''
  const template = (await listByName(db, orgId, name)).find(one => one.language === language)
  if (template?.status === 'PAUSED') return codeError(132015)
  if (template?.status === 'DISABLED') return codeError(132016)
  if (template?.status !== 'APPROVED') return codeError(132001, `template name (${name}) does not exist in ${language}`)
  const { components } = template
  const isNamed = template.parameterFormat === 'NAMED'
  return (
    findErrorWithin({ components, part, isNamed, within: '', bodyMax: templateLimits.body }) ??
    findOfferError(components, part, now) ??
    findCarouselError(components, part, isNamed)
  )
}
