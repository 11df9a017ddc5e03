import { buttonTypes, findComponent, headerFormats, type TemplateComponent } from './components.ts'
import { variableNames } from './variables.ts'

/** Why a template cannot be sent from here: it needs something that cannot be entered. */
type SendingObstacle = 'needsProducts' | 'needsOrder' | 'needsGif' | 'needsOther'

const ofHeader: Readonly<Record<string, SendingObstacle>> = { PRODUCT: 'needsProducts', GIF: 'needsGif' }
const ofButton: Readonly<Record<string, SendingObstacle>> = {
  MPM: 'needsProducts',
  SPM: 'needsProducts',
  ORDER_DETAILS: 'needsOrder',
}

/** Undefined: everything it needs can be entered. Components read from Meta may be newer than this code. */
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

/** True if the template has an offer, whose end is set with each send. */
export const needsOfferEnd = (components: readonly TemplateComponent[]): boolean =>
  findComponent(components, 'LIMITED_TIME_OFFER')?.limited_time_offer?.has_expiration === true

/** The end of an offer in milliseconds. Undefined: no time with zone, such as `2026-11-23T09:30:00-03:00`. */
export const readOfferEnd = (typed: string): number | undefined => {
  const ms = /^\d{4}-\d\d-\d\dT\d\d:\d\d\S*(?:Z|[+-]\d\d:?\d\d)$/.test(typed.trim())
    ? Date.parse(typed.trim())
    : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** Without a valid end, the offer is not over. */
export const isOfferOver = (
  components: readonly TemplateComponent[],
  offerEndsAt: string | undefined,
  atMs: number,
): boolean => needsOfferEnd(components) && (readOfferEnd(offerEndsAt ?? '') ?? Number.POSITIVE_INFINITY) <= atMs

/** The one-time code is used in the body and the button, and entered once. */
export const codeNameOf = (components: readonly TemplateComponent[]): string | undefined =>
  variableNames(findComponent(components, 'BODY')?.text ?? '')[0]
