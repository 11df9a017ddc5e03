import {
  type OutgoingWebhook,
  tapDelivery,
  type WebhookFilter,
  type WebhookFormat,
  type WebhookType,
  webhookLimits,
  webhookTypes,
} from '#shared/outgoing-webhooks/api.ts'

export interface TypedHeader {
  readonly key: number
  readonly name: string
  readonly value: string
}

/** The values of a webhook's form. */
export interface WebhookDraft {
  readonly name: string
  readonly url: string
  readonly format: WebhookFormat
  readonly events: readonly WebhookType[]
  readonly filter: WebhookFilter
  /** The fields as typed, separated by commas. */
  readonly fields: string
  readonly messageTypes: string
  /** Empty: the stored one stays, or a new one is made. */
  readonly verifyToken: string
  /** Undefined: the stored ones stay, because their values are not known here. */
  readonly headers: readonly TypedHeader[] | undefined
}

export const webhookDraft = (webhook: OutgoingWebhook | undefined): WebhookDraft => ({
  name: webhook?.name ?? '',
  url: webhook?.url ?? '',
  format: webhook?.format ?? 'standard',
  events: webhook?.events ?? [tapDelivery],
  filter: webhook?.filter ?? {},
  fields: webhook?.filter?.fields?.join(', ') ?? '',
  messageTypes: webhook?.filter?.messageTypes?.join(', ') ?? '',
  verifyToken: '',
  headers: webhook?.headers.length ? undefined : [],
})

/** Turns typed text into a valid name. */
export const nameIn = (typed: string): string =>
  typed
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9_-]+/g, typed.normalize('NFD').match(/\s/) ? '-' : '')
    .replace(/^[^a-z]+/, '')
    .slice(0, webhookLimits.name)

/** The words of a list that is typed with commas. */
const listIn = (typed: string): string[] => [...new Set(typed.split(/[\s,]+/).filter(Boolean))]

const webhookFilterOf = ({ format, filter, fields, messageTypes }: WebhookDraft): WebhookFilter => {
  const { numbers, tags, direction, finalStatusOnly } = filter
  const both = {
    ...(numbers?.length ? { numbers } : {}),
    ...(direction ? { direction } : {}),
    ...(finalStatusOnly ? { finalStatusOnly } : {}),
  }
  if (format === 'standard') return { ...both, ...(tags?.length ? { tags } : {}) }
  const [listed, types] = [listIn(fields), listIn(messageTypes)]
  return { ...both, ...(listed.length ? { fields: listed } : {}), ...(types.length ? { messageTypes: types } : {}) }
}

/** The body of the call that saves it, without its name and format. */
export const bodyOf = (draft: WebhookDraft) => {
  const { url, format, events, headers, verifyToken } = draft
  return {
    url: url.trim(),
    filter: webhookFilterOf(draft),
    ...(format === 'standard' ? { events: [...events] } : {}),
    ...(format === 'meta' && verifyToken.trim() ? { verifyToken: verifyToken.trim() } : {}),
    ...(headers
      ? {
          headers: Object.fromEntries(
            headers.flatMap(({ name, value }) => (name.trim() ? [[name.trim(), value.trim()]] : [])),
          ),
        }
      : {}),
  }
}

type EventGroup = 'messages' | 'conversations' | 'contacts' | 'organization'

const groupOf = (type: WebhookType): EventGroup => {
  if (type.startsWith('message.') || type === tapDelivery) return 'messages'
  if (type.startsWith('conversation.') || type === 'human' || type.startsWith('flow.')) return 'conversations'
  return type.startsWith('contact.') ? 'contacts' : 'organization'
}

export const eventGroups = [...Map.groupBy(webhookTypes, groupOf)]

type WithoutDot<T extends string> = T extends `${infer Head}.${infer Tail}` ? `${Head}_${Tail}` : T

/** The last part of the key of its words: i18n keys have no dots. */
export const eventWord = <T extends string>(type: T) => type.replace('.', '_') as WithoutDot<T>
