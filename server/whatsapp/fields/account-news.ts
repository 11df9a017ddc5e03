import { asId, asList, asNumber, asObject, asText, asTime, cleanLine, type Json } from '../scalars.ts'
import type { WebhookItem } from '../webhooks/inbound.ts'

/** Each has a text: `standing:news.{key}`. */
export const newsKeys = [
  'alert',
  'alertOver',
  'settings',
  'payment',
  'account',
  'review',
  'reviewApproved',
  'reviewRejected',
  'reviewPending',
  'pinChanged',
  'pinReset',
  'form',
  'username',
  'templateCategory',
  'groupStatus',
  'history',
  'historyDeclined',
  'error',
] as const
type NewsKey = (typeof newsKeys)[number]

/** A report of Meta about an account or a number. */
export interface AccountNews {
  readonly key: NewsKey
  readonly level: 'info' | 'warning' | 'bad'
  readonly params: Readonly<Record<string, string | number>>
  readonly at: string | undefined
}

type News = Omit<AccountNews, 'at'>
type Read = (value: Json) => News | readonly News[] | undefined

const line = (value: unknown, otherwise = '—'): string => cleanLine(value, 300) ?? otherwise

const alertLevels: Readonly<Record<string, AccountNews['level']>> = { CRITICAL: 'bad', WARNING: 'warning' }

/** @see Meta, "Webhooks › account_alerts" */
const alert: Read = value => {
  const info = asObject(value.alert_info) ?? value
  const type = line(info.alert_type)
  const params = { type, says: line(info.alert_description, type) }
  const isOver = !['ACTIVE', '—'].includes(line(info.alert_status))
  if (isOver) return { key: 'alertOver', level: 'info', params }
  return { key: 'alert', level: alertLevels[line(info.alert_severity)] ?? 'info', params }
}

/** Only the names of the settings that changed: each kind of value has another shape. */
const settings: Read = value => {
  const inside = asObject(value.phone_number_settings) ?? asObject(value.account_settings) ?? value
  const names = Object.keys(inside).filter(name => !['phone_number_id', 'messaging_product', 'metadata'].includes(name))
  return { key: 'settings', level: 'info', params: { names: line(names.slice(0, 10).join(', ')) } }
}

/** @see Meta, "Webhooks › payment_configuration_update" */
const payment: Read = value => {
  const status = line(value.status)
  const isFine = ['active', 'enabled', 'connected'].includes(status.toLowerCase())
  const params = { name: line(value.configuration_name), status }
  return { key: 'payment', level: isFine ? 'info' : 'warning', params }
}

const badEvents = ['DISABLED_UPDATE', 'ACCOUNT_VIOLATION', 'ACCOUNT_RESTRICTION', 'ACCOUNT_DELETED', 'PARTNER_REMOVED']

/** @see Meta, "Webhooks › account_update" */
const account: Read = value => {
  const event = line(value.event)
  const ban = asObject(value.ban_info)
  const details = [
    ...(ban ? [ban.waba_ban_state, ban.waba_ban_date] : []),
    ...asList(value.restriction_info).map(one => asObject(one)?.restriction_type),
    asObject(value.violation_info)?.violation_type,
    asObject(value.disconnection_info)?.reason,
  ].flatMap(one => cleanLine(one, 100) ?? [])
  const isBad = badEvents.includes(event) && ban?.waba_ban_state !== 'REINSTATE'
  const detail = details.length ? `${event} (${details.slice(0, 5).join(', ')})` : event
  return { key: 'account', level: isBad ? 'bad' : 'info', params: { detail } }
}

const verdicts: Readonly<Record<string, NewsKey>> = {
  APPROVED: 'reviewApproved',
  REJECTED: 'reviewRejected',
  PENDING: 'reviewPending',
}

const review: Read = value => {
  const decision = line(value.decision)
  const level = decision === 'APPROVED' ? 'info' : decision === 'REJECTED' ? 'bad' : 'warning'
  return { key: verdicts[decision] ?? 'review', level, params: { decision } }
}

/** @see Meta, "Webhooks › security": the PIN of two-step verification */
const security: Read = value => {
  const event = line(value.event)
  return { key: event === 'PIN_CHANGED' ? 'pinChanged' : 'pinReset', level: 'warning', params: { event } }
}

/** WhatsApp's forms, which Meta calls flows. */
const form: Read = value => {
  const isTrouble = value.alert_state === 'ACTIVATED' || ['BLOCKED', 'THROTTLED'].includes(line(value.new_status))
  const params = { event: line(value.event), says: line(value.message, line(value.flow_id)) }
  return { key: 'form', level: isTrouble ? 'warning' : 'info', params }
}

const username: Read = value => ({
  key: 'username',
  level: 'info',
  params: { name: line(value.username), status: line(value.status ?? value.event) },
})

const templateCategory: Read = value => ({
  key: 'templateCategory',
  level: 'warning',
  params: {
    name: line(value.message_template_name),
    category: line(value.correct_category ?? value.new_category ?? value.category),
  },
})

const groupStatus: Read = value =>
  asList(value.groups)
    .slice(0, 20)
    .map(asObject)
    .map(
      (group): News => ({
        key: 'groupStatus',
        level: 'warning',
        params: { group: line(asId(group?.group_id)?.slice(-6)), status: line(group?.type ?? group?.status) },
      }),
    )

/** A chunk of a history tells its progress, or why there is none. */
const history = (value: Json): News | undefined => {
  const error = asObject(asList(value.errors)[0])
  if (error)
    return { key: 'historyDeclined', level: 'warning', params: { code: line(error.code), says: line(error.title) } }
  const progress = asNumber(asObject(value.metadata)?.progress)
  return progress === undefined ? undefined : { key: 'history', level: 'info', params: { progress } }
}

const readers: Readonly<Record<string, Read>> = {
  account_alerts: alert,
  account_settings_update: settings,
  payment_configuration_update: payment,
  account_update: account,
  account_review_update: review,
  security,
  flows: form,
  business_username_updates: username,
  template_correct_category_detection: templateCategory,
  group_status_update: groupStatus,
  history,
}

/** Webhook fields with account news; `errors` is not a field but stands beside messages. */
export const accountNewsFields: readonly string[] = [...Object.keys(readers), 'errors']

const errorsOf = (value: unknown): News[] =>
  asList(value)
    .slice(0, 5)
    .map(asObject)
    .map(error => ({
      key: 'error',
      level: 'warning',
      params: { code: line(error?.code), says: line(asText(error?.title) ?? error?.message) },
    }))

/** The account news in an item; empty: none, or not readable. */
export function readAccountNews(item: WebhookItem): AccountNews[] {
  if (item.kind !== 'management') return []
  const value = asObject(item.value)
  const read = item.field === 'errors' ? errorsOf(item.value) : value && readers[item.field]?.(value)
  if (read === undefined) return []
  const at = item.at ?? asTime(value?.timestamp)
  return [read].flat().map(one => ({ ...one, at }))
}
