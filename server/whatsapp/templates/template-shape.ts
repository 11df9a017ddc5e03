import type { TemplateComponent } from '#shared/templates/components.ts'
import { asObject, type Json } from '../scalars.ts'

const upper = (value: unknown): unknown => (typeof value === 'string' ? value.toUpperCase() : value)

/** `body_text` is a list of lists; some of Meta's pages show a single list. */
const exampleOf = (value: unknown): unknown => {
  const example = asObject(value)
  const texts = example?.body_text
  return example && Array.isArray(texts) && texts.length && !Array.isArray(texts[0])
    ? { ...example, body_text: [texts] }
    : value
}

const buttonOf = (value: unknown): unknown => {
  const button = asObject(value)
  if (!button) return value
  return {
    ...button,
    type: upper(button.type),
    ...(button.otp_type === undefined ? {} : { otp_type: upper(button.otp_type) }),
    ...(typeof button.example === 'string' && upper(button.type) === 'URL' ? { example: [button.example] } : {}),
  }
}

const componentOf = (value: unknown, depth: number): unknown => {
  const component = asObject(value)
  if (!component) return value
  const { buttons, cards } = component
  return {
    ...component,
    type: upper(component.type),
    ...(component.format === undefined ? {} : { format: upper(component.format) }),
    ...(component.example === undefined ? {} : { example: exampleOf(component.example) }),
    ...(Array.isArray(buttons) ? { buttons: buttons.map(buttonOf) } : {}),
    ...(Array.isArray(cards) && depth === 0 ? { cards: cards.map(cardOf) } : {}),
  }
}

const cardOf = (value: unknown): unknown => {
  const card = asObject(value) as Json | undefined
  return card && Array.isArray(card.components)
    ? { ...card, components: card.components.map(one => componentOf(one, 1)) }
    : value
}

/** Meta accepts its words in any case; we use capitals. What is not a component stays as it is, for validation. */
export const readComponents = (list: unknown): TemplateComponent[] =>
  (Array.isArray(list) ? list : []).map(one => componentOf(one, 0) as TemplateComponent)
