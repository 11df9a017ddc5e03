import { Errors } from 'typebox/value'
import type { InteractiveRules } from '../kinds/kind.ts'
import { rulesOfInteractive } from '../kinds/registry.ts'
import { asObject, type Json, shownValue } from '../scalars.ts'
import { invalid, listAt, missing, objectAt, optionalTextAt, textAt, unique, webAddressAt } from './checks.ts'
import { paramError } from './graph-error.ts'

const bodyOf = (interactive: Json, max = 1024) =>
  textAt(objectAt(interactive, 'body', "interactive['body']"), 'text', "interactive['body']['text']", 'Body text', max)

const footerOf = (interactive: Json) => {
  if (interactive.footer === undefined) return
  textAt(
    objectAt(interactive, 'footer', "interactive['footer']"),
    'text',
    "interactive['footer']['text']",
    'Footer text',
    60,
  )
}

const mediaKinds = ['image', 'video', 'document']

const headerOf = (interactive: Json, allowed: readonly string[] = ['text', ...mediaKinds]) => {
  if (interactive.header === undefined) return
  const header = objectAt(interactive, 'header', "interactive['header']")
  const type = header.type
  if (typeof type !== 'string' || !allowed.includes(type))
    throw invalid(`Header type is invalid. Allowed types: ${allowed.join(', ')}`)
  if (type === 'text') textAt(header, 'text', "interactive['header']['text']", 'Header text', 60)
  else {
    const media = objectAt(header, type, `interactive['header']['${type}']`)
    if ((media.id === undefined) === (media.link === undefined))
      throw invalid(`Header ${type} must have exactly one of id or link.`)
  }
}

const actionOf = (interactive: Json) => objectAt(interactive, 'action', "interactive['action']")

const named = (action: Json, name: string) => {
  if (action.name !== name) throw invalid(`Parameter 'interactive['action']['name']' must be ${name}.`)
}

const buttonMessage = (interactive: Json) => {
  headerOf(interactive)
  bodyOf(interactive)
  footerOf(interactive)
  const buttons = listAt(actionOf(interactive), 'buttons', "interactive['action']['buttons']", 'buttons', 1, 3)
  const replies = buttons.map((button, i) => {
    if (button.type !== 'reply') throw invalid('Button type is invalid. Allowed types: reply')
    const path = `interactive['action']['buttons'][${i}]['reply']`
    const reply = objectAt(button, 'reply', path)
    return {
      id: textAt(reply, 'id', `${path}['id']`, 'Button id', 256),
      title: textAt(reply, 'title', `${path}['title']`, 'Button title', 20),
    }
  })
  unique(
    replies.map(reply => reply.id),
    'button id',
  )
  unique(
    replies.map(reply => reply.title),
    'button title',
  )
}

const listMessage = (interactive: Json) => {
  headerOf(interactive, ['text'])
  bodyOf(interactive, 4096)
  footerOf(interactive)
  const action = actionOf(interactive)
  textAt(action, 'button', "interactive['action']['button']", 'Button text', 20)
  const sections = listAt(action, 'sections', "interactive['action']['sections']", 'sections', 1, 10)
  const ids = sections.flatMap((section, s) => {
    const path = `interactive['action']['sections'][${s}]`
    if (sections.length > 1) textAt(section, 'title', `${path}['title']`, 'Section title', 24)
    else optionalTextAt(section, 'title', `${path}['title']`, 'Section title', 24)
    return listAt(section, 'rows', `${path}['rows']`, 'rows', 1, 10).map((row, r) => {
      textAt(row, 'title', `${path}['rows'][${r}]['title']`, 'Row title', 24)
      optionalTextAt(row, 'description', `${path}['rows'][${r}]['description']`, 'Row description', 72)
      return textAt(row, 'id', `${path}['rows'][${r}]['id']`, 'Row id', 200)
    })
  })
  if (ids.length > 10) throw invalid('Total row count exceed max allowed count: 10')
  unique(ids, 'row id')
}

const linkParameters = (action: Json, path: string) => {
  named(action, 'cta_url')
  const parameters = objectAt(action, 'parameters', `${path}['parameters']`)
  textAt(parameters, 'display_text', `${path}['parameters']['display_text']`, 'Button display text', 20)
  const url = webAddressAt(parameters, 'url', `${path}['parameters']['url']`)
  if (/^[\d.]+$|^\[/.test(url.hostname))
    throw invalid(`Parameter '${path}['parameters']['url']' must not be an IP address.`)
}

const linkMessage = (interactive: Json) => {
  headerOf(interactive)
  bodyOf(interactive)
  footerOf(interactive)
  linkParameters(actionOf(interactive), "interactive['action']")
}

const flowMessage = (interactive: Json) => {
  headerOf(interactive)
  bodyOf(interactive)
  footerOf(interactive)
  const action = actionOf(interactive)
  named(action, 'flow')
  const parameters = objectAt(action, 'parameters', "interactive['action']['parameters']")
  if (parameters.flow_id === undefined && parameters.flow_name === undefined)
    throw missing("interactive['action']['parameters']['flow_id']")
  textAt(parameters, 'flow_cta', "interactive['action']['parameters']['flow_cta']", 'Flow cta', 30)
}

const asking = (name: string) => (interactive: Json) => {
  bodyOf(interactive)
  named(actionOf(interactive), name)
}

const cardKind = (card: Json, i: number): unknown => {
  const path = `interactive['action']['cards'][${i}]`
  const header = objectAt(card, 'header', `${path}['header']`)
  if (header.type !== 'image' && header.type !== 'video')
    throw invalid('Card header type is invalid. Allowed types: image, video')
  if (card.body !== undefined)
    textAt(objectAt(card, 'body', `${path}['body']`), 'text', `${path}['body']['text']`, 'Card body text', 160)
  if (card.type === 'cta_url') linkParameters(objectAt(card, 'action', `${path}['action']`), `${path}['action']`)
  return header.type
}

const carousel = (interactive: Json) => {
  bodyOf(interactive)
  if (interactive.header !== undefined || interactive.footer !== undefined)
    throw invalid('A carousel has no header and no footer.')
  const cards = listAt(actionOf(interactive), 'cards', "interactive['action']['cards']", 'cards', 2, 10)
  if (new Set(cards.map(cardKind)).size > 1) throw invalid('All cards must have the same header type.')
}

/** The catalogue is not checked here: the account may lack it. */
const product = (interactive: Json) => void actionOf(interactive)

const kinds: ReadonlyMap<string, (interactive: Json) => void> = new Map([
  ['button', buttonMessage],
  ['list', listMessage],
  ['cta_url', linkMessage],
  ['flow', flowMessage],
  ['carousel', carousel],
  ['location_request_message', asking('send_location')],
  ['request_contact_info', asking('request_contact_info')],
  ['product', product],
  ['product_list', product],
  ['catalog_message', product],
])

const at = (pointer: string, key?: string) =>
  `interactive${[...pointer.split('/').slice(1), ...(key === undefined ? [] : [key])].map(part => `['${part}']`).join('')}`

/** Holds it against the rules of its kind. */
const declared =
  ({ schema }: InteractiveRules) =>
  (interactive: Json) => {
    const [error] = Errors(schema, interactive)
    if (!error) return
    if (error.keyword === 'required') throw missing(at(error.instancePath, error.params.requiredProperties[0]))
    throw invalid(`Parameter '${at(error.instancePath)}' ${error.message}.`)
  }

const checkOf = (type: string): ((interactive: Json) => void) | undefined => {
  const rules = rulesOfInteractive(type)
  return rules ? declared(rules) : kinds.get(type)
}

/** @see Meta, "Interactive messages": limits per kind. @throws GraphError 100, 131008, 131009 naming field and limit */
export function validateInteractive(interactive: Json): void {
  if (asObject(interactive) === undefined || interactive.type === undefined) throw missing("interactive['type']")
  const kind = typeof interactive.type === 'string' ? checkOf(interactive.type) : undefined
  if (kind === undefined)
    throw paramError(
      `Param interactive['type'] must be one of {${[...kinds.keys()].map(name => name.toUpperCase()).join(', ')}} - got "${shownValue(interactive.type)}".`,
    )
  kind(interactive)
}
