import { createGraph, type GraphOptions } from '../graph/graph.ts'
import { WhatsAppError } from '../provider.ts'
import { asId, asList, asNumber, asObject, asText, cleanLine } from '../scalars.ts'
import { readWord } from '../templates/template-node.ts'
import { AppList, HealthNode, QualityNode, StatusNode, TokenNode, WebhookNode } from './standing-wire.ts'

/** Meta's rating of the number by customers' reactions; null: not rated yet. */
export type Quality = 'high' | 'medium' | 'low'

/** `isApproved` null: under review. */
export interface DisplayName {
  readonly name: string | null
  readonly isApproved: boolean | null
}

export interface NumberStatus {
  /** Meta's word; `CONNECTED` if it works. */
  readonly status: string | null
  readonly isRegistered: boolean
  readonly isVerified: boolean | null
  readonly isNameApproved: boolean | null
  /** A requested name that is not in use. */
  readonly nextName: DisplayName
  readonly isTestNumber: boolean
  /** The Business app on a phone uses the number too. */
  readonly isOnPhoneToo: boolean
}

export interface TokenState {
  readonly isValid: boolean
  readonly appId: string | null
  /** ISO; null: it does not expire. Undefined: Meta does not say. */
  readonly expiresAt: string | null | undefined
  readonly scopes: readonly string[]
  /** The accounts it manages; empty: all that it was given, which Meta does not list. */
  readonly accounts: readonly string[]
}

/** The addresses to which Meta sends webhooks of the number: the first of these that is set. */
export interface WebhookRoutes {
  readonly number: string | null
  readonly account: string | null
  readonly app: string | null
}

export interface AppWebhook {
  readonly address: string | null
  readonly isActive: boolean
  readonly fields: readonly string[]
}

export interface HealthFault {
  /** `PHONE_NUMBER`, `WABA`, `BUSINESS`, `APP`. */
  readonly of: string
  readonly code: string
  /** Meta's texts, in English. */
  readonly says: string | null
  readonly remedy: string | null
}

export interface Health {
  /** Null: an unknown word. */
  readonly maySend: 'yes' | 'limited' | 'no' | null
  readonly faults: readonly HealthFault[]
}

/** Reads the facts of a number, part by part. Every call rejects with `WhatsAppError` only. */
export interface StandingReader {
  quality(signal?: AbortSignal): Promise<Quality | null>
  status(signal?: AbortSignal): Promise<NumberStatus>
  routes(signal?: AbortSignal): Promise<WebhookRoutes>
  health(signal?: AbortSignal): Promise<Health>
  token(signal?: AbortSignal): Promise<TokenState>
  /** Apps that are subscribed to the account. */
  subscribedApps(signal?: AbortSignal): Promise<readonly string[]>
  /** The app's webhook for WhatsApp; null: none. Authenticates with the app's secret. */
  appWebhook(appId: string, signal?: AbortSignal): Promise<AppWebhook | null>
}

const qualities: Readonly<Record<string, Quality>> = { GREEN: 'high', YELLOW: 'medium', RED: 'low' }
const verdicts: Readonly<Record<string, boolean>> = {
  APPROVED: true,
  AVAILABLE_WITHOUT_REVIEW: true,
  DECLINED: false,
  EXPIRED: false,
}
const sending: Readonly<Record<string, Health['maySend']>> = { AVAILABLE: 'yes', LIMITED: 'limited', BLOCKED: 'no' }

const verdictOf = (word: unknown): boolean | null => verdicts[readWord(word) ?? ''] ?? null
const lineOf = (value: unknown): string | null => cleanLine(value, 300) ?? null
const addressOf = (value: unknown): string | null => {
  const text = asText(value)
  return text !== undefined && text.length <= 2000 && URL.canParse(text, 'https://relative.example') ? text : null
}
const wordsOf = (value: unknown, most = 100): string[] =>
  asList(value)
    .slice(0, most)
    .flatMap(one => cleanLine(one, 100) ?? [])

const readToken = (data: unknown): TokenState => {
  const said = asObject(data)
  const expires = asNumber(said?.expires_at)
  const managed = asList(said?.granular_scopes)
    .map(asObject)
    .find(one => one?.scope === managingScope)
  return {
    isValid: said?.is_valid === true,
    appId: asId(said?.app_id) ?? null,
    expiresAt:
      expires === undefined
        ? undefined
        : expires > 0
          ? new Date(Math.min(expires, 8.64e12) * 1000).toISOString()
          : null,
    scopes: wordsOf(said?.scopes),
    accounts: wordsOf(managed?.target_ids, 1000),
  }
}

const faultsOf = (entity: unknown): HealthFault[] => {
  const said = asObject(entity)
  return asList(said?.errors)
    .slice(0, 20)
    .map(asObject)
    .map(error => ({
      of: readWord(said?.entity_type) ?? '',
      code: asId(error?.error_code) ?? '',
      says: lineOf(error?.error_description),
      remedy: lineOf(error?.possible_solution),
    }))
}

export const managingScope = 'whatsapp_business_management'
export const messagingScope = 'whatsapp_business_messaging'
/** Meta's name for WhatsApp in webhook subscriptions. */
const webhookObject = 'whatsapp_business_account'

const fieldsOf = (phoneNumberId: string) => {
  const path = `/${encodeURIComponent(phoneNumberId)}`
  return (fields: string) => ({ call: 'number', method: 'GET', path, query: { fields } }) as const
}

/** @see Meta, "Business phone numbers", "WhatsApp Business Account", "Graph API" */
export function createStandingReader(
  options: GraphOptions & { phoneNumberId: string; wabaId: string; appSecret: string },
): StandingReader {
  const graph = createGraph(options)
  const node = fieldsOf(options.phoneNumberId)
  return {
    async quality(signal) {
      const { quality_rating: rating } = await graph.request({
        ...node('quality_rating'),
        reply: QualityNode,
        signal,
      })
      return qualities[readWord(rating) ?? ''] ?? null
    },

    async status(signal) {
      const said = await graph.request({
        ...node(
          'status,code_verification_status,name_status,new_display_name,new_name_status,account_mode,is_on_biz_app',
        ),
        reply: StatusNode,
        signal,
      })
      const status = readWord(said.status) ?? null
      const verified = readWord(said.code_verification_status)
      const next = lineOf(said.new_display_name)
      return {
        status,
        isRegistered: status === 'CONNECTED' || said.is_on_biz_app === true,
        isVerified: verified === undefined ? null : verified === 'VERIFIED',
        isNameApproved: verdictOf(said.name_status),
        nextName: { name: next, isApproved: next === null ? null : verdictOf(said.new_name_status) },
        isTestNumber: readWord(said.account_mode) === 'SANDBOX',
        isOnPhoneToo: said.is_on_biz_app === true,
      }
    },

    async routes(signal) {
      const { webhook_configuration: said } = await graph.request({
        ...node('webhook_configuration'),
        reply: WebhookNode,
        signal,
      })
      const set = asObject(said)
      return {
        number: addressOf(set?.phone_number),
        account: addressOf(set?.whatsapp_business_account),
        app: addressOf(set?.application),
      }
    },

    async health(signal) {
      const { health_status: said } = await graph.request({ ...node('health_status'), reply: HealthNode, signal })
      const health = asObject(said)
      return {
        maySend: sending[readWord(health?.can_send_message) ?? ''] ?? null,
        faults: asList(health?.entities).slice(0, 20).flatMap(faultsOf),
      }
    },

    async token(signal) {
      const query = { input_token: options.accessToken }
      const { data } = await graph.request({
        call: 'number',
        method: 'GET',
        path: '/debug_token',
        query,
        reply: TokenNode,
        signal,
      })
      return readToken(data)
    },

    async subscribedApps(signal) {
      const { data } = await graph.request({
        call: 'number',
        method: 'GET',
        path: `/${encodeURIComponent(options.wabaId)}/subscribed_apps`,
        reply: AppList,
        signal,
      })
      return data.flatMap(one => asId(asObject(asObject(one)?.whatsapp_business_api_data)?.id) ?? [])
    },

    async appWebhook(appId, signal) {
      if (!/^\d{1,32}$/.test(appId))
        throw new WhatsAppError({ code: 'UNREADABLE', retry: 'never', message: 'an app without an id' })
      const { appSecret, ...way } = options
      const app = createGraph({ ...way, accessToken: `${appId}|${appSecret}` })
      const path = `/${appId}/subscriptions`
      const { data } = await app.request({ call: 'number', method: 'GET', path, reply: AppList, signal })
      const own = data.map(asObject).find(one => one?.object === webhookObject)
      if (!own) return null
      return {
        address: addressOf(own.callback_url),
        isActive: own.active !== false,
        fields: asList(own.fields)
          .slice(0, 200)
          .flatMap(field => cleanLine(asObject(field)?.name ?? field, 100) ?? []),
      }
    },
  }
}
