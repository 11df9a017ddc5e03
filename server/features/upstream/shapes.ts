import { displayPhone } from '#server/platform/text/phone-display.ts'
import { messageTypes } from '#shared/inbox/message-kinds.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import { unratedQuality } from '#shared/templates/words.ts'

/** An answer of the upstream before it is checked. */
export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Completes one object. What is no object stays, and fails the check by the contract. */
export type Complete = (value: Json, context: ShapeContext) => Json

export interface ShapeContext {
  readonly orgId: string
  /** The address here of a file of the upstream; undefined: it is not on the upstream. */
  fileAddress(url: string): string | undefined
  readonly now: string
}

/** Other names of fields, as the calls of the product's first clients have them. */
const aliases: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  conversation: { numberTel: 'phone', phoneNumber: 'phone', number: 'phone' },
  message: { message: 'text', date: 'at', createdAt: 'at' },
  media: { mime_type: 'mime', fileName: 'name' },
  waba: { phoneNumber: 'phone', nameWaba: 'verifiedName' },
}

const renamed = (kind: keyof typeof aliases, value: Json): Json => {
  const table = aliases[kind] ?? {}
  const given = Object.entries(table).flatMap(([alias, name]) =>
    value[alias] !== undefined && value[name] === undefined ? [[name, value[alias]] as const] : [],
  )
  return given.length ? { ...value, ...Object.fromEntries(given) } : value
}

/** A time as our rows and pages have it. What is no time fails the check of its field. */
export const time = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? null
  const at = new Date(value)
  return at.getTime() >= 0 && at.getUTCFullYear() <= 9999 ? at.toISOString() : false
}
/** Converts the named fields of an object with `time`, if it has them. */
const withTimes = (value: Json, ...names: readonly string[]): Json => ({
  ...value,
  ...Object.fromEntries(names.filter(name => value[name] !== undefined).map(name => [name, time(value[name])])),
})

const phoneText = (value: unknown) => (typeof value === 'string' ? displayPhone(digitsOf(value)) : '')

const knownTypes: readonly unknown[] = messageTypes
/** A kind of message that we do not know is shown as one that cannot be shown, not as a fault of the whole chat. */
const typeOf = (type: unknown) => (type === undefined ? 'text' : knownTypes.includes(type) ? type : 'unsupported')

const lastMessage = (value: unknown): unknown =>
  isObject(value)
    ? {
        text: '',
        direction: 'in',
        status: value.direction === 'out' ? 'sent' : 'received',
        ...withTimes(value, 'at'),
        type: typeOf(value.type),
      }
    : (value ?? null)

/** Tags, assignee and control are ours: those of the upstream are left out. */
export const conversation: Complete = given => {
  const value = renamed('conversation', given)
  const digits = typeof value.phone === 'string' ? digitsOf(value.phone) : ''
  // What is no number fails the check of this very field.
  const phone = isPhoneDigits(digits) ? digits : undefined
  return {
    name: phoneText(phone),
    unread: 0,
    archived: false,
    windowClosesAt: null,
    username: null,
    ...withTimes(value, 'windowClosesAt'),
    phone,
    id: phone ?? '',
    displayPhone: phoneText(phone),
    lastMessage: lastMessage(value.lastMessage),
    tags: [],
    control: value.control === 'needsHuman' || value.control === 'human' ? value.control : 'bot',
    assignee: null,
  }
}

const media = (given: Json, { fileAddress }: ShapeContext): Json => {
  const value = renamed('media', given)
  const url = typeof value.url === 'string' ? fileAddress(value.url) : undefined
  const state = url === undefined ? 'failed' : 'stored'
  return { mime: 'application/octet-stream', name: null, size: null, ...value, url: url ?? '', state }
}

export const message: Complete = (given, context) => {
  const value = renamed('message', given)
  return {
    wamid: null,
    text: '',
    status: value.direction === 'out' ? 'sent' : 'received',
    ...withTimes(value, 'at', 'editedAt', 'revokedAt', 'deliveredAt', 'readAt', 'sentAt'),
    type: typeOf(value.type),
    ...(isObject(value.media) ? { media: media(value.media, context) } : {}),
  }
}

/** Formats no number unless it has to be the name: there may be five thousand. */
export const lean: Complete = given => {
  const value = renamed('conversation', given)
  const digits = typeof value.phone === 'string' ? digitsOf(value.phone) : ''
  const phone = isPhoneDigits(digits) ? digits : undefined
  const lastAt = time(value.lastAt ?? (isObject(value.lastMessage) ? value.lastMessage.at : null))
  return { id: phone ?? '', phone, number: phone, name: value.name ?? phoneText(phone), tags: [], lastAt }
}

export const chatName: Complete = given => renamed('conversation', given)

export const template: Complete = (value, { now }) => ({
  parameterFormat: 'POSITIONAL',
  components: [],
  quality: unratedQuality,
  rejectedReason: null,
  category: 'UTILITY',
  categoryAsked: null,
  note: null,
  pausedSince: null,
  pausedUntil: null,
  ttlSeconds: null,
  uses: 0,
  lastUsedAt: null,
  syncedAt: null,
  ...value,
  media: [],
  updatedAt: value.updatedAt ?? now,
  createdAt: value.createdAt ?? value.updatedAt ?? now,
})

export const templateWithLanguages: Complete = (value, context) => {
  const one = template(value, context)
  const languages = Array.isArray(value.languages) ? value.languages.filter(isObject) : []
  return { ...one, languages: languages.length ? languages.map(other => template(other, context)) : [one] }
}

export const waba: Complete = given => {
  const value = renamed('waba', given)
  return {
    phone: null,
    verifiedName: null,
    status: 'connected',
    displayPhone: phoneText(value.phone),
    ...value,
    // A simulator of its own cannot be reached from here.
    kind: 'cloud',
  }
}

export const connection: Complete = (given, { now }) => {
  const value = renamed('waba', given)
  return {
    id: value.phone,
    kind: 'cloud',
    webhookPath: '',
    verifyToken: '',
    displayPhone: phoneText(value.phone),
    phoneNumberId: '',
    wabaId: '',
    verifiedName: null,
    label: null,
    status: 'connected',
    statusReason: null,
    lastWebhookAt: null,
    createdAt: now,
    ...value,
  }
}

export const addedNumber: Complete = value => ({
  displayPhone: phoneText(value.phone),
  nameWaba: '',
  state: 'codeSent',
  ...value,
})

export const verifiedName: Complete = value => ({
  displayPhone: phoneText(value.phone),
  verifiedName: null,
  state: 'inReview',
  ...value,
})

export const removedTemplates: Complete = value => ({ removed: [], ...value })
export const migration: Complete = value => ({ items: [], imported: 0, updated: 0, unchanged: 0, ...value })
export const bulk: Complete = value => ({ omitted: [], state: 'running', ...value })

/** The key of an item of a list. The first item with a key counts. */
const keyOf = (item: unknown): unknown => (isObject(item) ? (item.id ?? item.phone) : undefined)

/** A list of these; an array counts as its only page. Items that come twice are left out. */
export const listShape =
  (one: Complete, maxItems: number): ((value: unknown, context: ShapeContext) => unknown) =>
  (value, context) => {
    const page = Array.isArray(value) ? { items: value } : value
    if (!isObject(page)) return value
    if (!Array.isArray(page.items)) return { page: 1, pageSize: 1, hasMore: false, ...page }
    // Longer ones would hold the event loop; the contract's check then names the field.
    if (page.items.length > maxItems) return { ...page, items: `more than ${maxItems}` }
    const seen = new Set<unknown>()
    const items = page.items
      .map(item => (isObject(item) ? one(item, context) : item))
      .filter(item => {
        const key = keyOf(item)
        if (key === undefined) return true
        if (seen.has(key)) return false
        seen.add(key)
        return true
      })
    return { page: 1, pageSize: Math.max(1, items.length), hasMore: false, ...page, items }
  }

/** The field that names another organization than the one that asked; undefined: there is none. */
export const foreignIn = (value: unknown, orgId: string): string | undefined => {
  const isForeign = (one: unknown) => isObject(one) && typeof one.org === 'string' && one.org !== orgId
  if (isForeign(value)) return 'org'
  const items = isObject(value) && Array.isArray(value.items) ? value.items : Array.isArray(value) ? value : []
  const at = items.findIndex(isForeign)
  return at < 0 ? undefined : `items.${at}.org`
}
