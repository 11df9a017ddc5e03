import { rulesOfInteractive } from '#server/whatsapp/kinds/registry.ts'
import { asList, asNumber, asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { mediaTypes } from '#server/whatsapp/serving/validate-message.ts'
import type { PhoneChoice, PhoneMessage, SandboxCustomer } from '#shared/simulator/phone.ts'
import { fillVariables, variableNames } from '#shared/templates/variables.ts'
import type { SandboxMessage } from './message-store.ts'

/** The content of a message, before edits, reactions and removals. */
type Content = Pick<PhoneMessage, 'type' | 'text'> &
  Partial<
    Pick<PhoneMessage, 'header' | 'footer' | 'media' | 'location' | 'contacts' | 'choices' | 'cards' | 'listTitle'>
  >

const textOf = (value: unknown): string => asText(value) ?? ''

const mediaOf = (type: string, part: Json): Content => ({
  type: type === 'audio' && part.voice === true ? 'voice' : type,
  text: textOf(part.caption),
  media: { id: asText(part.id) ?? null, name: asText(part.filename) ?? asText(part.link) ?? null },
})

const locationOf = (part: Json): Content => {
  const [latitude, longitude] = [asNumber(part.latitude), asNumber(part.longitude)]
  const [name, address] = [asText(part.name), asText(part.address)]
  if (latitude === undefined || longitude === undefined) return { type: 'location', text: name ?? '' }
  return {
    type: 'location',
    text: '',
    location: { latitude, longitude, ...(name ? { name } : {}), ...(address ? { address } : {}) },
  }
}

const contactsOf = (cards: unknown): Content => ({
  type: 'contacts',
  text: '',
  contacts: asList(cards)
    .map(asObject)
    .map(card => ({
      name: textOf(asObject(card?.name)?.formatted_name),
      phone: textOf(asObject(asList(card?.phones)[0])?.phone),
    })),
})

const choiceOf = (kind: PhoneChoice['kind'], value: unknown): PhoneChoice => {
  const part = asObject(value)
  const description = asText(part?.description)
  return { kind, id: textOf(part?.id), title: textOf(part?.title), ...(description ? { description } : {}) }
}

const choicesOf = (action: Json): PhoneChoice[] => {
  const buttons = asList(action.buttons).map(button => choiceOf('button', asObject(button)?.reply))
  const rows = asList(action.sections).flatMap(section =>
    asList(asObject(section)?.rows).map(row => choiceOf('list', row)),
  )
  const parameters = asObject(action.parameters)
  const title = asText(parameters?.display_text) ?? asText(parameters?.flow_cta)
  const link = asText(parameters?.url)
  const other: PhoneChoice[] = title ? [{ kind: link ? 'link' : 'other', id: link ?? '', title }] : []
  return [...buttons, ...rows, ...other]
}

/** A message of the business with buttons, a list or a link. */
const offerOf = (interactive: Json): Content => {
  const rules = rulesOfInteractive(textOf(interactive.type))
  if (rules) return { type: 'interactive', ...rules.seen(interactive) }
  const action = asObject(interactive.action) ?? {}
  const header = asObject(interactive.header)
  const kind = mediaTypes.find(type => asObject(header?.[type]))
  const media = kind ? mediaOf(kind, asObject(header?.[kind]) ?? {}).media : undefined
  const [title, footer, listTitle] = [
    asText(header?.text),
    asText(asObject(interactive.footer)?.text),
    asText(action.button),
  ]
  return {
    type: 'interactive',
    text: textOf(asObject(interactive.body)?.text),
    choices: choicesOf(action),
    ...(media ? { media } : {}),
    ...(title ? { header: title } : {}),
    ...(footer ? { footer } : {}),
    ...(listTitle ? { listTitle } : {}),
  }
}

/** A customer's tap or form. */
const answerOf = (interactive: Json): Content => {
  if (interactive.nfm_reply) return { type: 'form', text: '' }
  const reply = asObject(interactive.button_reply) ?? asObject(interactive.list_reply)
  return { type: 'choice', text: textOf(reply?.title) }
}

/** Components of templates by name and language. */
export type TemplatesByKey = ReadonlyMap<string, readonly unknown[]>
export const templateKey = (name: string, language: string): string => `${name} ${language}`

const parametersOf = (part: Json, type: string, index?: number): Json[] => {
  const component = asList(part.components)
    .map(asObject)
    .find(one => asText(one?.type)?.toLowerCase() === type && (index === undefined || Number(one?.index) === index))
  return asList(component?.parameters).map(parameter => asObject(parameter) ?? {})
}

const filled = (text: string, parameters: readonly Json[]): string => {
  const names = variableNames(text)
  const values = parameters.map((one, i) => [asText(one.parameter_name) ?? names[i] ?? '', textOf(one.text)])
  return fillVariables(text, Object.fromEntries(values))
}

const templateChoice = (button: Json, index: number, part: Json): PhoneChoice => {
  const title = textOf(button.text)
  const [parameter] = parametersOf(part, 'button', index)
  if (button.type === 'QUICK_REPLY') return { kind: 'quickReply', id: asText(parameter?.payload) ?? title, title }
  if (button.type === 'URL')
    return { kind: 'link', id: filled(textOf(button.url), parameter ? [{ text: parameter.text }] : []), title }
  return { kind: 'other', id: textOf(parameter?.coupon_code), title: title || textOf(button.type) }
}

const componentIn = (components: readonly unknown[], type: string): Json | undefined =>
  asObject(components.find(one => asObject(one)?.type === type))

/** The components of a template or a card, filled with a message's values. */
const partsOf = (components: readonly unknown[], part: Json): Omit<Content, 'type'> => {
  const [header, body, footer, buttons] = ['HEADER', 'BODY', 'FOOTER', 'BUTTONS'].map(type =>
    componentIn(components, type),
  )
  const [parameter] = parametersOf(part, 'header')
  const kind = mediaTypes.find(type => asObject(parameter?.[type]))
  const title = header?.format === 'TEXT' ? filled(textOf(header.text), parametersOf(part, 'header')) : undefined
  const choices = asList(buttons?.buttons).flatMap((button, i) => {
    const one = asObject(button)
    return one ? [templateChoice(one, i, part)] : []
  })
  return {
    text: filled(textOf(body?.text), parametersOf(part, 'body')),
    ...(kind ? { media: mediaOf(kind, asObject(parameter?.[kind]) ?? {}).media } : {}),
    ...(parameter?.type === 'location' ? { location: locationOf(asObject(parameter.location) ?? {}).location } : {}),
    ...(title ? { header: title } : {}),
    ...(asText(footer?.text) ? { footer: textOf(footer?.text) } : {}),
    ...(choices.length ? { choices } : {}),
  }
}

/** A template with its values; if it no longer exists, its name. */
const templateOf = (part: Json, templates: TemplatesByKey): Content => {
  const name = textOf(part.name)
  const components = templates.get(templateKey(name, textOf(asObject(part.language)?.code)))
  if (!components) return { type: 'template', text: name }
  const cards = asList(componentIn(components, 'CAROUSEL')?.cards).map((card, at) => {
    const given = asList(asObject(asList(part.components).find(one => asObject(one)?.type === 'carousel'))?.cards)
    const {
      media,
      text,
      choices = [],
    } = partsOf(
      asList(asObject(card)?.components),
      asObject(given.find(one => Number(asObject(one)?.card_index) === at)) ?? {},
    )
    return { text, choices, ...(media ? { media } : {}) }
  })
  return { type: 'template', ...partsOf(components, part), ...(cards.length ? { cards } : {}) }
}

const contentOf = (message: Json, type: string, isMine: boolean, templates: TemplatesByKey): Content => {
  const part = asObject(message[type]) ?? {}
  if ((mediaTypes as readonly string[]).includes(type)) return mediaOf(type, part)
  switch (type) {
    case 'text':
      return { type, text: textOf(part.body) }
    case 'location':
      return locationOf(part)
    case 'contacts':
      return contactsOf(message.contacts)
    case 'interactive':
      return isMine ? answerOf(part) : offerOf(part)
    case 'button':
      return { type: 'choice', text: textOf(part.text) }
    case 'order':
      return { type, text: textOf(part.text) }
    case 'template':
      return templateOf(part, templates)
    case 'system':
      return { type, text: textOf(part.wa_id) }
    default:
      return { type, text: '' }
  }
}

const noTemplates: TemplatesByKey = new Map()

const read = (message: SandboxMessage, templates: TemplatesByKey): { json: Json; content: Content } => {
  const json = JSON.parse(message.body) as Json
  return { json, content: contentOf(json, message.type, message.direction === 'in', templates) }
}

/** Names of the templates in these messages. */
export const templateNames = (messages: readonly SandboxMessage[]): string[] => [
  ...new Set(
    messages
      .filter(({ type }) => type === 'template')
      .flatMap(({ body }) => asText(asObject((JSON.parse(body) as Json).template)?.name) ?? []),
  ),
]

const quotedIn = (json: Json): string | undefined => {
  const context = asObject(json.context)
  return asText(context?.id) ?? asText(context?.message_id)
}

/** The message that this message quotes, if any. */
export const quotedBy = (message: SandboxMessage): string[] => {
  const wamid = quotedIn(JSON.parse(message.body) as Json)
  return wamid === undefined ? [] : [wamid]
}

const iso = (ms: number) => new Date(ms).toISOString()

type MessageEffects = Pick<PhoneMessage, 'edited' | 'revoked' | 'reactions'> & { text?: string }

/** Effects on each message: the last edit, and the last reaction of each side. */
const effectsOf = (effects: readonly SandboxMessage[]): ReadonlyMap<string, MessageEffects> => {
  const effectsById = new Map<string, MessageEffects>()
  for (const effect of effects) {
    const part = asObject((JSON.parse(effect.body) as Json)[effect.type]) ?? {}
    const target = asText(part.message_id) ?? asText(part.original_message_id)
    if (target === undefined) continue
    const known = effectsById.get(target) ?? {}
    const isMine = effect.direction === 'in'
    if (effect.type === 'revoke') known.revoked = true
    else if (effect.type === 'edit') {
      known.edited = true
      known.text = textOf(asObject(asObject(part.message)?.text)?.body)
    } else {
      const others = (known.reactions ?? []).filter(reaction => reaction.mine !== isMine)
      const emoji = asText(part.emoji)
      known.reactions = emoji === undefined ? others : [...others, { emoji, mine: isMine }]
    }
    effectsById.set(target, known)
  }
  return effectsById
}

/** Each customer's last message for the list, after edits and removals. */
export function lastMessagesOf(
  messages: readonly SandboxMessage[],
  corrections: readonly SandboxMessage[],
  parts: { templates?: TemplatesByKey } = {},
): ReadonlyMap<string, NonNullable<SandboxCustomer['last']>> {
  const effectsById = effectsOf(corrections)
  return new Map(
    messages.map(message => {
      const { type, text } = read(message, parts.templates ?? noTemplates).content
      const effects = effectsById.get(message.wamid)
      const shown = effects?.revoked
        ? { type: 'revoked', text: '' }
        : { type, text: (effects?.text ?? text).slice(0, 200) }
      return [message.waId, { ...shown, mine: message.direction === 'in', at: iso(message.atMs) }]
    }),
  )
}

/**
 * The chat as the customer's phone shows it, in the given order.
 * @param parts.quoted messages that may be quoted; a missing one is shown without a quote
 */
export function transcriptOf(parts: {
  messages: readonly SandboxMessage[]
  effects: readonly SandboxMessage[]
  quoted: readonly SandboxMessage[]
  templates?: TemplatesByKey
}): PhoneMessage[] {
  const { templates = noTemplates } = parts
  const effectsById = effectsOf(parts.effects)
  const quotes = new Map(parts.quoted.map(message => [message.wamid, message]))
  return parts.messages.map(message => {
    const { json, content } = read(message, templates)
    const effects = effectsById.get(message.wamid)
    const quoted = quotes.get(quotedIn(json) ?? '')
    const quotedContent = quoted && read(quoted, templates).content
    return {
      seq: message.seq,
      wamid: message.wamid,
      mine: message.direction === 'in',
      at: iso(message.atMs),
      status: message.status,
      ...content,
      ...(asObject(json.context)?.forwarded === true ? { forwarded: true } : {}),
      ...(quoted && quotedContent
        ? {
            replyTo: {
              wamid: quoted.wamid,
              type: quotedContent.type,
              text: (effectsById.get(quoted.wamid)?.text ?? quotedContent.text).slice(0, 200),
              mine: quoted.direction === 'in',
            },
          }
        : {}),
      ...(effects?.edited ? { edited: true, text: effects.text ?? content.text } : {}),
      ...(effects?.reactions?.length ? { reactions: effects.reactions } : {}),
      ...(effects?.revoked ? { revoked: true, text: '' } : {}),
    }
  })
}
