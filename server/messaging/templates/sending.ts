import type { Db } from '#server/platform/db/database.ts'
import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import { buildTemplateMessage, type TemplateValues } from '#server/whatsapp/templates/template-message.ts'
import type { CardValues, SentTemplate } from '#shared/outbound/api.ts'
import {
  type CarouselCard,
  findComponent,
  type HeaderComponent,
  mediaFormats,
  type TemplateComponent,
} from '#shared/templates/components.ts'
import type { TemplateFault } from '#shared/templates/fault.ts'
import { isOfferOver, sendingObstacle } from '#shared/templates/sending.ts'
import { variableNames } from '#shared/templates/variables.ts'
import { isApproved, verdictOf } from '#shared/templates/words.ts'
import { templateErrors } from './errors.ts'
import { namedFileFaults, namedFilesOf } from './files/named-files.ts'
import { templateView } from './shown.ts'
import { findTemplate, listByName, noteUse, type StoredTemplate } from './store.ts'
import { findWabaId } from './sync/sync-store.ts'

/** The values in the order of the variables, or by their names. */
export type GivenValues = readonly string[] | Readonly<Record<string, string>>

/** A template as a send request names it. */
export interface AskedTemplate {
  /** Id or name. */
  template: string
  /** Absent: a sendable language, latest change first. */
  language?: string | undefined
  body: GivenValues
  header?: GivenValues | undefined
  /** The header's image, video or document: a public address, or the handle of a stored file. */
  image?: string | undefined
  /** The name of the header's document. A stored file has a name already. */
  fileName?: string | undefined
  location?: { latitude: number; longitude: number; name?: string; address?: string } | undefined
  /** End of a limited-time offer: ISO 8601 with time zone. */
  offerEndsAt?: string | undefined
  /** The values of buttons, by index from 0. */
  buttons?: Readonly<Record<string, string>> | undefined
  /** The values of a carousel's cards, by index from 0. */
  cards?: CardValues | undefined
}

/** A snapshot of what is sent, and how it is shown. */
export interface ReadyTemplate {
  id: string
  category: string
  /** Meta's request format. */
  message: Record<string, unknown>
  text: string
  shown: SentTemplate
}

const requireTemplate = async (db: Db, orgId: string, asked: AskedTemplate): Promise<StoredTemplate> => {
  const wabaId = await findWabaId(db, orgId)
  if (wabaId === undefined) throw templateErrors.NOT_CONNECTED()
  const byId = await findTemplate(db, orgId, asked.template)
  if (byId?.wabaId === wabaId) return byId
  const named = await listByName(db, orgId, wabaId, asked.template)
  const wanted = asked.language?.replace('-', '_')
  const latest = named.toSorted((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
  const found = wanted
    ? named.find(one => one.language === wanted)
    : (latest.find(one => isApproved(one.status)) ?? latest[0])
  if (!found) throw templateErrors.NOT_FOUND()
  return found
}

/** @throws TEMPLATES_PAUSED, TEMPLATES_DISABLED, TEMPLATES_NOT_APPROVED with its `status` */
export const requireApproved = ({ status, name }: Pick<StoredTemplate, 'status' | 'name'>) => {
  const verdict = verdictOf(status)
  if (verdict === 'approved') return
  if (verdict === 'paused') throw templateErrors.PAUSED({ params: { name } })
  if (verdict === 'disabled') throw templateErrors.DISABLED({ params: { name } })
  throw templateErrors.NOT_APPROVED({ params: { name, status } })
}

/** @throws InvalidInput naming `template`, when it needs something that cannot be set here */
export const requireSendable = ({ components }: Pick<StoredTemplate, 'components'>) => {
  const code = sendingObstacle(components)
  if (code) throw new InvalidInput([{ field: 'body.template', code, params: {}, text: `templates:fault.${code}` }])
}

const textOf = (component: TemplateComponent | undefined): string =>
  component && 'text' in component && typeof component.text === 'string' ? component.text : ''

/** Values by variable name. Values without a variable are faults. */
const valuesFor = (text: string, given: GivenValues | undefined, field: string, faults: FieldFault[]) => {
  const names = variableNames(text)
  if (!given) return { values: {}, fieldOf: (name: string) => `${field}.${name}` }
  if (Array.isArray(given)) {
    if (given.length > names.length) faults.push({ field, code: 'maxItems', params: { limit: names.length } })
    return {
      values: Object.fromEntries(names.flatMap((name, i) => (given[i] === undefined ? [] : [[name, given[i]]]))),
      fieldOf: (name: string) => `${field}.${names.indexOf(name)}`,
    }
  }
  for (const name of Object.keys(given))
    if (!names.includes(name)) faults.push({ field: `${field}.${name}`, code: 'unknown', params: {} })
  return { values: given as Record<string, string>, fieldOf: (name: string) => `${field}.${name}` }
}

const mediaOf = (
  header: HeaderComponent | undefined,
  { image, location, fileName }: AskedTemplate,
  faults: FieldFault[],
) => {
  const format = header?.format
  const hasFile = (mediaFormats as readonly unknown[]).includes(format)
  if (image !== undefined && !hasFile) faults.push({ field: 'body.image', code: 'unknown', params: {} })
  if (location !== undefined && format !== 'LOCATION')
    faults.push({ field: 'body.location', code: 'unknown', params: {} })
  return {
    ...(image === undefined ? {} : { media: { link: image } }),
    ...(fileName?.trim() ? { fileName: fileName.trim() } : {}),
    ...(location ? { location } : {}),
  }
}

type FieldOf = (name: string) => string

const cardField = (at: number | string) => `body.cardExample.${at}`

/** Values of a carousel's cards, for the builder. Values without a card are faults. */
const cardValuesFor = (cards: readonly CarouselCard[], given: CardValues, faults: FieldFault[]) => {
  for (const at of Object.keys(given))
    if (!cards[Number(at)]) faults.push({ field: cardField(at), code: 'unknown', params: {} })
  const read = cards.map(({ components }, at) => {
    const { file, body, buttons } = given[at] ?? {}
    const text = textOf(findComponent(components, 'BODY'))
    const { values, fieldOf } = valuesFor(text, body, `${cardField(at)}.body`, faults)
    return {
      values: { ...(file === undefined ? {} : { media: { link: file } }), body: values, buttons: buttons ?? {} },
      fieldOf,
    }
  })
  return {
    values: read.map(({ values }) => values),
    fieldOf: (at: number): FieldOf => read[at]?.fieldOf ?? (name => `${cardField(at)}.body.${name}`),
  }
}

interface Places {
  readonly body: FieldOf
  readonly header: FieldOf
  card(at: number): FieldOf
}

/** The request's field for a fault of the builder. */
const placeOf = (field: string, places: Places): string => {
  const [part = '', name] = field.split('.')
  if (part === 'cards') {
    const [at = '', inside = '', of = ''] = field.split('.').slice(1)
    if (inside === 'header') return `${cardField(at)}.file`
    return inside === 'body' && of ? places.card(Number(at))(of) : [cardField(at), inside, of].filter(Boolean).join('.')
  }
  if (part === 'body') return name === undefined ? 'body.bodyExample' : places.body(name)
  if (field === 'header.media') return 'body.image'
  if (field === 'header.location') return 'body.location'
  if (field === 'offer.endsAt') return 'body.offerEndsAt'
  if (part === 'header') return name === undefined ? 'body.headerExample' : places.header(name)
  return part === 'buttons' ? `body.buttonExample.${name}` : 'body.template'
}

const refuse = (faults: readonly FieldFault[]) => {
  if (faults.length) throw new InvalidInput(faults)
}

/**
 * Fills in a template and checks it, ready to be sent. @throws TEMPLATES_NOT_FOUND, TEMPLATES_NOT_CONNECTED,
 * TEMPLATES_NOT_APPROVED, TEMPLATES_PAUSED, TEMPLATES_DISABLED, InvalidInput naming each value that is missing,
 * superfluous, too long or on several lines, and an offer that has ended at `leavesAtMs`.
 */
async function prepareTemplate(
  db: Db,
  orgId: string,
  asked: AskedTemplate,
  leavesAtMs?: number,
): Promise<ReadyTemplate> {
  const template = await requireTemplate(db, orgId, asked)
  requireApproved(template)
  requireSendable(template)
  const faults: FieldFault[] = []
  const header = findComponent(template.components, 'HEADER')
  const body = valuesFor(textOf(findComponent(template.components, 'BODY')), asked.body, 'body.bodyExample', faults)
  const top = valuesFor(textOf(header), asked.header, 'body.headerExample', faults)
  const carousel = findComponent(template.components, 'CAROUSEL')
  const cards = cardValuesFor(carousel?.cards ?? [], asked.cards ?? {}, faults)
  const values: TemplateValues = {
    body: body.values,
    header: { values: top.values, ...mediaOf(header, asked, faults) },
    buttons: asked.buttons ?? {},
    cards: cards.values,
    ...(asked.offerEndsAt === undefined ? {} : { offerEndsAt: asked.offerEndsAt }),
  }
  const named = namedFilesOf(asked, 'body.image', cardField)
  faults.push(...(await namedFileFaults(db, orgId, template.components, named)))
  const built = buildTemplateMessage(template, values)
  const sayFault = ({ field, code, params }: TemplateFault): FieldFault => ({
    field: placeOf(field, { body: body.fieldOf, header: top.fieldOf, card: cards.fieldOf }),
    code,
    params: { ...params },
    text: `templates:fault.${code}`,
  })
  if (built.faults) faults.push(...built.faults.map(sayFault))
  if (leavesAtMs !== undefined && isOfferOver(template.components, asked.offerEndsAt, leavesAtMs))
    faults.push(sayFault({ field: 'offer.endsAt', code: 'offerOver', params: {} }))
  refuse(faults)
  if (built.faults) throw new InvalidInput([])
  const { preview, message } = built
  const { id, category } = template
  return { id, category, message, text: preview.body, shown: templateView(template, preview) }
}

/** The functions that sending needs from templates. */
export const templateSending = { prepare: prepareTemplate, noteUse, find: findTemplate }
