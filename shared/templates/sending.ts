import { buttonTypes, findComponent, headerFormats, type TemplateComponent } from './components.ts'
import { variableNames } from './variables.ts'

/** Why a template cannot be sent from here: it needs something that nobody is asked for. */
export type SendingObstacle = 'needsProducts' | 'needsOrder' | 'needsGif' | 'needsOther'

const ofHeader: Readonly<Record<string, SendingObstacle>> = { PRODUCT: 'needsProducts', GIF: 'needsGif' }
const ofButton: Readonly<Record<string, SendingObstacle>> = {
  MPM: 'needsProducts',
  SPM: 'needsProducts',
  ORDER_DETAILS: 'needsOrder',
}

/** Undefined: everything it needs can be asked for. Components read from Meta may be newer than what is known here. */
export function sendingObstacle(components: readonly TemplateComponent[]): SendingObstacle | undefined {
  const format = findComponent(components, 'HEADER')?.format
  if (format !== undefined && !(headerFormats as readonly string[]).includes(format))
    return ofHeader[format] ?? 'needsOther'
  for (const { type } of findComponent(components, 'BUTTONS')?.buttons ?? []) {
    const obstacle = ofButton[type] ?? ((buttonTypes as readonly string[]).includes(type) ? undefined : 'needsOther')
    if (obstacle) return obstacle
  }
  for (const card of findComponent(components, 'CAROUSEL')?.cards ?? []) {
    const obstacle = sendingObstacle(card.components)
    if (obstacle) return obstacle
  }
  return undefined
}

/** Whether it is an offer that ends at a time which is said with each send. */
export const needsOfferEnd = (components: readonly TemplateComponent[]): boolean =>
  findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer?.has_expiration === true

/** When an offer ends, in milliseconds; undefined: it is no time with its zone, such as `2026-11-23T09:30:00-03:00`. */
export const readOfferEnd = (typed: string): number | undefined => {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d\S*(?:Z|[+-]\d\d:?\d\d)$/.test(typed.trim())
    ? Date.parse(typed.trim())
    : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** Whether an offer that ends then is over at `atMs`; what has no end, or none that can be read, is not. */
export const isOfferOver = (
  components: readonly TemplateComponent[],
  offerEndsAt: string | undefined,
  atMs: number,
): boolean => needsOfferEnd(components) && (readOfferEnd(offerEndsAt ?? '') ?? Number.POSITIVE_INFINITY) <= atMs

/** The one-time code in the body is the button's, too: it is asked for once. */
export const codeNameOf = (components: readonly TemplateComponent[]): string | undefined =>
  variableNames(findComponent(components, 'BODY')?.text ?? '')[0]
