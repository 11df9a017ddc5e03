import { asList, asNumber, asObject, asText, cleanLine, cleanText, type Json, webAddress } from '../scalars.ts'
import { readContactCards } from './contact-cards.ts'
import type { Sendings, Shown } from './kind.ts'
import { locationKinds } from './location.ts'

type Content = Parameters<NonNullable<Sendings['asGiven']['shown']>>[0]
type Interactive = NonNullable<NonNullable<Shown['content']>['interactive']>

const textIn = (value: unknown): string | undefined => cleanLine(asObject(value)?.text, 1024)

const replyOf = (button: unknown) => {
  const reply = asObject(asObject(button)?.reply)
  return reply ? [{ id: asText(reply.id) ?? '', title: cleanLine(reply.title) ?? '' }] : []
}

const rowOf = (entry: unknown) => {
  const row = asObject(entry)
  if (!row) return []
  const description = cleanLine(row.description)
  return [{ id: asText(row.id) ?? '', title: cleanLine(row.title) ?? '', ...(description ? { description } : {}) }]
}

const sectionOf = (entry: unknown) => {
  const section = asObject(entry)
  const title = cleanLine(section?.title)
  return { ...(title ? { title } : {}), rows: asList(section?.rows).flatMap(rowOf) }
}

/**
 * The buttons and rows that the customer can tap. Kinds that the thread does not draw are shown by their text alone.
 */
const tappedIn = (action: Json): Omit<Interactive, 'header' | 'footer'> => {
  const buttons = asList(action.buttons).flatMap(replyOf)
  if (buttons.length) return { buttons }
  const title = cleanLine(action.button)
  if (title) return { list: { title, sections: asList(action.sections).map(sectionOf) } }
  const parameters = asObject(action.parameters)
  const url = webAddress(parameters?.url)
  if (url) return { link: { title: cleanLine(parameters?.display_text) ?? url, url } }
  const cta = cleanLine(parameters?.flow_cta)
  if (cta) return { buttons: [{ id: asText(parameters?.flow_id) ?? 'flow', title: cta }] }
  const [catalogId, productRetailerId] = [asText(action.catalog_id), asText(action.product_retailer_id)]
  return catalogId && productRetailerId ? { product: { catalogId, productRetailerId } } : {}
}

const interactiveShown = (part: Json): Shown => {
  const [header, footer] = [textIn(part.header), textIn(part.footer)]
  const interactive = {
    ...(header ? { header } : {}),
    ...(footer ? { footer } : {}),
    ...tappedIn(asObject(part.action) ?? {}),
  }
  return { type: 'interactive', text: cleanText(asObject(part.body)?.text), content: { interactive } }
}

/** A file at an address: the thread shows the address, because no copy is stored. */
const linkShown = (part: Json): Shown => ({
  type: 'text',
  text: [cleanText(part.caption), cleanText(part.link)].filter(Boolean).join('\n'),
})

const locationShown = (part: Json): Shown =>
  locationKinds.location.reads.location(
    { ...part, latitude: asNumber(part.latitude), longitude: asNumber(part.longitude) },
    part,
  ) ?? { type: 'location', text: '' }

const shownOf = ({ message }: Content): Shown => {
  const { type } = message
  const part = asObject(message[type]) ?? {}
  if (type === 'text') return { type: 'text', text: cleanText(part.body) }
  if (type === 'location') return locationShown(part)
  if (type === 'contacts') return readContactCards(message.contacts) ?? { type: 'contacts', text: '' }
  return type === 'interactive' ? interactiveShown(part) : linkShown(part)
}

/**
 * A message that a program wrote in Meta's own form: it is sent as it is, and shown as well as the thread can. Its form
 * was checked before.
 */
export const asGiven: Sendings['asGiven'] = { shown: shownOf, part: ({ message }) => message }
