import { isPartial, parsedWhole } from '#server/platform/text/json-parts.ts'
import {
  asId,
  asList,
  asObject,
  asText,
  asTime,
  cleanLine,
  cleanText,
  type Json,
  longList,
  maxIdChars,
  rawJson,
} from '../scalars.ts'
import { callItem } from './calls.ts'
import {
  customerIdsFrom,
  groupIds,
  isKnown,
  noContacts,
  readContacts,
  readWaId,
  unknownCustomerIds,
} from './customer-ids.ts'
import type { ItemKind, WebhookItem } from './inbound.ts'
import {
  echoItem,
  historyItem,
  messageItem,
  messageTime,
  originOf,
  type Scope,
  statusItem,
  unknownItem,
} from './message-items.ts'
import { handoverItem, standbyReaders } from './standby-items.ts'

type ReadField = (value: Json, scope: Scope) => Iterable<WebhookItem>

/** A value nested deeper than the stack could not be serialized later; the journal has its bytes. */
const managementItem = (scope: Scope, opened: unknown, field = scope.field): WebhookItem => {
  const value = parsedWhole(opened)
  if (isPartial(value)) return unknownItem(scope, value)
  if (rawJson(value) === '') return unknownItem(scope, undefined)
  const item: WebhookItem = { ...originOf(scope), kind: 'management', field, value }
  return scope.stampedAt === undefined ? item : { ...item, at: scope.stampedAt }
}

const management: ReadField = (value, scope) => [managementItem(scope, value)]

/** Groups have eight members. */
const maxNamed = 20

type ReadEntry = (entry: unknown, scope: Scope) => WebhookItem

/** Yields each entry of a list on its own; what is not a list becomes an unknown item. */
function* each(list: unknown, scope: Scope, read: ReadEntry): Iterable<WebhookItem> {
  if (list === undefined) return
  const entries = longList(list)
  if (entries === undefined) return yield unknownItem(scope, list)
  for (const entry of entries) yield read(parsedWhole(entry), scope)
}

function* messages(value: Json, scope: Scope): Iterable<WebhookItem> {
  const parts = [value.messages, value.message_echoes, value.statuses, value.errors]
  if (parts.every(part => part === undefined)) return yield unknownItem(scope, value)
  yield* each(value.messages, scope, (entry, inner) => messageItem(entry, inner))
  yield* each(value.message_echoes, scope, (entry, inner) => echoItem(entry, inner))
  yield* each(value.statuses, scope, statusItem)
  if (value.errors !== undefined) yield managementItem(scope, value.errors, 'errors')
}

const echoes: ReadField = (value, scope) =>
  value.message_echoes === undefined
    ? [unknownItem(scope, value)]
    : each(value.message_echoes, scope, (entry, inner) => echoItem(entry, inner))

/** While Meta's agent has a chat, its messages arrive in this field instead of `messages`. */
function* standby(value: Json, scope: Scope): Iterable<WebhookItem> {
  const part = asObject(value.standby) ?? value
  const names = Object.keys(standbyReaders) as (keyof typeof standbyReaders)[]
  if (names.every(name => part[name] === undefined)) return yield unknownItem(scope, value)
  const known = part.contacts === undefined ? scope : { ...scope, contacts: readContacts(part) }
  for (const name of names) yield* each(part[name], known, standbyReaders[name])
}

const handover: ReadField = (value, scope) => [handoverItem(value, scope)]

function* threadItems(entry: unknown, scope: Scope): Iterable<WebhookItem> {
  const thread = asObject(entry)
  const past = longList(thread?.messages)
  if (thread === undefined || past === undefined) return yield unknownItem(scope, entry)
  const context = asObject(thread.context)
  const customer = customerIdsFrom(asText(context?.wa_id) ?? thread.id, asText(context?.user_id) ?? thread.id)
  const username = cleanLine(asText(context?.username)?.replace(/^@+/, ''), 64)
  if (username !== undefined) customer.username = username
  const whose = isKnown(customer) ? customer : unknownCustomerIds(thread.id, context?.user_id)
  let isEmpty = true
  for (const message of past) {
    isEmpty = false
    yield historyItem(parsedWhole(message), scope, whose)
  }
  if (isEmpty) yield unknownItem(scope, entry)
}

function* chunkItems(entry: unknown, scope: Scope): Iterable<WebhookItem> {
  const chunk = asObject(entry)
  if (chunk === undefined) return yield unknownItem(scope, entry)
  const { threads, ...rest } = chunk
  let isEmpty = true
  for (const thread of longList(threads) ?? []) {
    isEmpty = false
    yield* threadItems(thread, scope)
  }
  // Progress of the import, or errors in its place.
  if (Object.keys(rest).length > 0) yield managementItem(scope, rest)
  else if (isEmpty) yield unknownItem(scope, entry)
}

/** A file of the history, sent after its placeholder. It is from us if it has our number. */
const pastFile = (entry: unknown, scope: Scope, isEcho = false): WebhookItem => {
  const { ours } = scope
  const message = asObject(entry)
  if (message === undefined) return unknownItem(scope, entry)
  const fromUs = isEcho || message.to !== undefined || (ours !== undefined && readWaId(message.from) === ours)
  return fromUs
    ? historyItem(message, scope, customerIdsFrom(message.to, message.to_user_id))
    : historyItem(message, scope, customerIdsFrom(message.from, message.from_user_id))
}

function* history(value: Json, scope: Scope): Iterable<WebhookItem> {
  for (const chunk of longList(value.history) ?? []) yield* chunkItems(chunk, scope)
  yield* each(value.messages, scope, entry => pastFile(entry, scope))
  yield* each(value.message_echoes, scope, entry => pastFile(entry, scope, true))
}

/** @see Meta, "Business-scoped user ids": regenerated when the person changes the number */
const userIdItem = (entry: unknown, scope: Scope): WebhookItem => {
  const update = asObject(entry)
  const userId = asObject(update?.user_id)
  const previous = customerIdsFrom(update?.wa_id, userId?.previous)
  const current = customerIdsFrom(update?.wa_id, userId?.current)
  if (update === undefined || previous.bsuid === undefined || current.bsuid === undefined)
    return unknownItem(scope, entry)
  const at = asTime(update.timestamp, scope.notAfterMs) ?? scope.fallbackAt
  return { ...originOf(scope), kind: 'identity', at, previous, current, note: cleanText(update.detail, 1000) }
}

const userIds: ReadField = (value, scope) =>
  value.user_id_update === undefined ? [unknownItem(scope, value)] : each(value.user_id_update, scope, userIdItem)

const calls: ReadField = (value, scope) =>
  value.calls === undefined ? management(value, scope) : each(value.calls, scope, callItem)

/** Each entry becomes an item with a list of only that entry. */
const alone =
  (list: string): ReadEntry =>
  (entry, scope) =>
    isPartial(entry) ? unknownItem(scope, entry) : managementItem(scope, { [list]: [entry] })

/** An address book arrives as a whole; each entry becomes an item. */
const stateSync: ReadField = (value, scope) =>
  value.state_sync === undefined ? [unknownItem(scope, value)] : each(value.state_sync, scope, alone('state_sync'))

const groups: ReadField = (value, scope) =>
  value.groups === undefined ? management(value, scope) : each(value.groups, scope, alone('groups'))

/** @see Meta, "Webhooks › group_participants_update" */
function* participantItems(entry: unknown, scope: Scope): Iterable<WebhookItem> {
  const group = asObject(entry)
  const id = asId(group?.group_id)
  const lists = [
    ['joined', group?.added_participants],
    ['left', group?.removed_participants],
  ] as const
  let isEmpty = true
  for (const [change, list] of lists) {
    const people = asList(list).slice(0, maxNamed).map(asObject)
    const who = people.flatMap(person => cleanLine(person?.username ?? person?.input ?? person?.wa_id, 60) ?? [])
    if (id === undefined || !who.length) continue
    isEmpty = false
    const at = messageTime(group?.timestamp, scope)
    yield { ...originOf(scope), kind: 'groupChange', at, sender: groupIds(id), change, who: who.join(', ') }
  }
  if (isEmpty) yield unknownItem(scope, entry)
}

const participants: ReadField = function* (value, scope) {
  const entries = longList(value.groups)
  if (entries === undefined) return yield unknownItem(scope, value)
  for (const entry of entries) yield* participantItems(parsedWhole(entry), scope)
}

const managementFields = [
  'message_template_status_update',
  'message_template_quality_update',
  'message_template_components_update',
  'template_category_update',
  'template_correct_category_detection',
  'phone_number_quality_update',
  'phone_number_name_update',
  'account_update',
  'account_review_update',
  'account_alerts',
  'account_settings_update',
  'business_capability_update',
  'business_username_updates',
  'security',
  'flows',
  'user_preferences',
  'group_status_update',
  'automatic_events',
  'payment_configuration_update',
  'partner_solutions',
  'tracking_events',
]

interface WebhookField {
  readonly read: ReadField
  /** Lists in the value that are read element by element, because they may be as long as a webhook. */
  readonly lists: readonly string[]
  /** The kinds of its items. Absent: they are `management` items of this field. */
  readonly kinds?: readonly ItemKind[]
}

const messageKinds = ['message', 'echo', 'reaction', 'edit', 'revoke'] as const

/** Every known field. */
export const webhookFields: ReadonlyMap<string, WebhookField> = new Map<string, WebhookField>([
  [
    'messages',
    {
      read: messages,
      lists: ['messages', 'message_echoes', 'statuses', 'contacts'],
      kinds: [...messageKinds, 'status', 'identity'],
    },
  ],
  ['smb_message_echoes', { read: echoes, lists: ['message_echoes', 'contacts'], kinds: messageKinds }],
  ['message_echoes', { read: echoes, lists: ['message_echoes', 'contacts'], kinds: messageKinds }],
  ['history', { read: history, lists: ['history', 'messages', 'message_echoes', 'contacts'], kinds: messageKinds }],
  [
    'standby',
    { read: standby, lists: [...Object.keys(standbyReaders), 'contacts'], kinds: [...messageKinds, 'status'] },
  ],
  ['messaging_handovers', { read: handover, lists: [], kinds: ['handover'] }],
  ['calls', { read: calls, lists: ['calls', 'contacts'], kinds: ['message', 'echo'] }],
  ['user_id_update', { read: userIds, lists: ['user_id_update'], kinds: ['identity'] }],
  ['smb_app_state_sync', { read: stateSync, lists: ['state_sync'] }],
  ['group_participants_update', { read: participants, lists: ['groups'], kinds: ['groupChange'] }],
  ['group_lifecycle_update', { read: groups, lists: ['groups'] }],
  ['group_settings_update', { read: groups, lists: ['groups'] }],
  ...managementFields.map((field): [string, WebhookField] => [field, { read: management, lists: [] }]),
])

/** A field can be recognized by a member that only its values have; the first match decides. */
const fieldsByMember: readonly (readonly [string, string])[] = [
  ['standby', 'standby'],
  ['control_passed', 'messaging_handovers'],
  ['history', 'history'],
  ['state_sync', 'smb_app_state_sync'],
  ['calls', 'calls'],
  ['user_preferences', 'user_preferences'],
  ['messages', 'messages'],
  ['statuses', 'messages'],
  ['message_echoes', 'smb_message_echoes'],
  ['new_quality_score', 'message_template_quality_update'],
  ['new_category', 'template_category_update'],
  ['message_template_element', 'message_template_components_update'],
  ['message_template_id', 'message_template_status_update'],
  ['requested_verified_name', 'phone_number_name_update'],
  ['current_limit', 'phone_number_quality_update'],
  ['ban_info', 'account_update'],
  ['restriction_info', 'account_update'],
  ['violation_info', 'account_update'],
  ['alert_info', 'account_alerts'],
]

/** The field of a change that does not name it. */
const fieldByContent = (value: Json | undefined): string | undefined =>
  value && fieldsByMember.find(([member]) => value[member] !== undefined)?.[1]

/** All items of one change. An unknown field and an empty change are kept as they came. */
export function* fieldItems(
  change: unknown,
  where: Pick<Scope, 'wabaId' | 'stampedAt' | 'fallbackAt' | 'notAfterMs'>,
): Iterable<WebhookItem> {
  const object = asObject(change)
  const value = asObject(object?.value)
  const field = cleanLine(object?.field, 100) ?? fieldByContent(value) ?? ''
  const scope: Scope = { ...where, field, phoneNumberId: undefined, ours: undefined, contacts: noContacts }
  if (value === undefined) return yield unknownItem(scope, change)
  scope.phoneNumberId = asText(asObject(value.metadata)?.phone_number_id)?.slice(0, maxIdChars)
  scope.ours = readWaId(asObject(value.metadata)?.display_phone_number)
  if (value.contacts !== undefined) scope.contacts = readContacts(value)
  let isEmpty = true
  for (const item of webhookFields.get(field)?.read(value, scope) ?? []) {
    isEmpty = false
    yield item
  }
  if (isEmpty) yield unknownItem(scope, value)
}
