import { connectRefusalOf, meansPayment } from '#server/whatsapp/errors/code-meanings.ts'
import { managingScope, messagingScope } from '#server/whatsapp/management/standing.ts'
import { daysUntil, tokenEndingDays } from '#shared/kernel/days-until.ts'
import type { CheckState } from '#shared/numbers/standing.ts'
import { unreadableKeys } from '../unusable-number.ts'
import { notAsked, type Part, partFailure, partValue, type StandingFacts } from './facts.ts'

/** The checks, in the order in which they are shown. */
const checkIds = [
  'token',
  'permissions',
  'account',
  'secret',
  'subscription',
  'webhookAddress',
  'webhookFields',
  'webhookReach',
  'webhookHeard',
  'registered',
  'name',
  'quality',
  'limit',
  'payment',
  'sending',
  'templates',
] as const
export type CheckId = (typeof checkIds)[number]

/** A check's result without its texts: `word` selects one of the check's texts. */
export interface Finding {
  readonly id: CheckId
  readonly state: CheckState
  readonly word: string
  readonly params?: Readonly<Record<string, string | number>>
  /** A time for the text, formatted in the reader's time zone. */
  readonly at?: string
  /** Names the steps in Meta's pages that fix it. */
  readonly press?: string
  readonly mend?: 'subscribe' | 'token' | 'number' | 'name' | 'templates'
}

export interface CheckFacts {
  readonly kind: 'cloud' | 'sandbox'
  /** Meta's answers; undefined: never read. */
  readonly said: StandingFacts | undefined
  readonly now: number
  /** Our addresses that webhooks may be sent to. */
  readonly webhookAddresses: readonly string[]
  readonly lastWebhookAt: string | null
  readonly wabaId: string
  /** Contacts that the organization wrote to first within a day. */
  readonly opened: number
  /** The last synchronization of templates; undefined: none yet. */
  readonly templates: { readonly syncedAt: string | null; readonly failure: string | null } | undefined
  /** Webhook fields that the app should subscribe to besides messages. */
  readonly wantedFields: readonly string[]
  /** The webhook fields without which incoming messages are lost. */
  readonly vitalFields: readonly string[]
  /** The code with which Meta refused the token in a send; undefined: not refused since it was set. */
  readonly refusedCode: string | undefined
}

const dayMs = 86_400_000
const quietDays = 7
/** Share of the limit from which a warning is shown. */
const nearLimit = 0.9
const echoField = 'smb_message_echoes'
const refusesToken = (code: string) => code === unreadableKeys || connectRefusalOf(code) === 'TOKEN_REFUSED'

/** The result of a check whose facts could not be read. */
const unknown = (id: CheckId, said: Part<unknown> | undefined): Finding => {
  const code = partFailure(said)
  if (code === undefined || code === notAsked) return { id, state: 'unknown', word: 'notRead' }
  return { id, state: 'unknown', word: refusesToken(code) ? 'noToken' : 'noAnswer', params: { code } }
}

type Judged = Omit<Finding, 'id'> | Part<unknown> | undefined
type Check = (facts: CheckFacts) => Judged

const tokenOf = ({ said, now, refusedCode }: CheckFacts): Judged => {
  const state = partValue(said?.token)
  const refused = refusedCode ?? partFailure(said?.token)
  const press = 'newToken'
  if (refused !== undefined && (refusedCode !== undefined || refusesToken(refused)))
    return { state: 'bad', word: 'refused', params: { code: refused }, press, mend: 'token' }
  if (!state) return said?.token
  if (!state.isValid) return { state: 'bad', word: 'invalid', press, mend: 'token' }
  const { expiresAt } = state
  if (expiresAt === undefined) return { state: 'good', word: 'unsaid' }
  if (expiresAt === null) return { state: 'good', word: 'lasting' }
  const days = daysUntil(expiresAt, now)
  if (Date.parse(expiresAt) <= now) return { state: 'bad', word: 'expired', at: expiresAt, press, mend: 'token' }
  if (days <= tokenEndingDays)
    return { state: 'warning', word: 'ending', at: expiresAt, params: { count: days }, press, mend: 'token' }
  return { state: 'good', word: 'until', at: expiresAt }
}

/** The simulator's token is replaced by connecting it again, not at Meta. */
const token: Check = (facts): Judged => {
  const judged = tokenOf(facts)
  if (facts.kind !== 'sandbox' || !judged || !('state' in judged) || judged.state !== 'bad') return judged
  return { state: 'bad', word: 'simulated', mend: 'token' }
}

const permissions: Check = ({ said, wabaId }): Judged => {
  const state = partValue(said?.token)
  if (!state?.isValid) return said?.token
  const missing = [messagingScope, managingScope].filter(scope => !state.scopes.includes(scope))
  if (missing.length)
    return { state: 'bad', word: 'missing', params: { scopes: missing.join(', ') }, press: 'scopes', mend: 'token' }
  if (state.accounts.length && !state.accounts.includes(wabaId))
    return { state: 'bad', word: 'otherAccount', params: { account: wabaId }, press: 'assign', mend: 'token' }
  return { state: 'good', word: 'fine' }
}

const account: Check = ({ said, wabaId }): Judged => {
  if (partValue(said?.account)) return { state: 'good', word: 'fine', params: { account: wabaId } }
  const failure = partFailure(said?.account)
  if (failure === 'WRONG_ACCOUNT')
    return { state: 'bad', word: 'other', params: { account: wabaId }, press: 'numberIds', mend: 'number' }
  if (failure !== undefined && connectRefusalOf(failure) === 'NOT_FOUND')
    return { state: 'bad', word: 'gone', params: { code: failure }, press: 'assign', mend: 'number' }
  return said?.account
}

const secret: Check = ({ said }): Judged => {
  // Calls carry a proof made with the app secret, so a refused proof means the secret belongs to another app.
  if (
    partFailure(said?.token) === 'APP_SECRET' ||
    (partValue(said?.token)?.isValid && refusesToken(partFailure(said?.webhook) ?? ''))
  )
    return { state: 'bad', word: 'other', press: 'appSecret', mend: 'token' }
  return partValue(said?.token)?.isValid ? { state: 'good', word: 'fine' } : said?.token
}

const subscription: Check = ({ said }): Judged => {
  const apps = partValue(said?.apps)
  if (!apps) return said?.apps
  const appId = partValue(said?.token)?.appId
  if (!apps.length) return { state: 'bad', word: 'none', mend: 'subscribe' }
  if (appId && !apps.includes(appId)) return { state: 'bad', word: 'others', mend: 'subscribe' }
  return { state: 'good', word: 'fine' }
}

const webhookAddress: Check = ({ said, webhookAddresses }): Judged => {
  const routes = partValue(said?.routes)
  const app = partValue(said?.webhook)
  const address = routes?.number ?? routes?.account ?? routes?.app ?? app?.address
  if (!routes && !app) return said?.routes
  if (!address) return { state: 'bad', word: 'none', press: 'webhook' }
  // The simulator returns only a path.
  const { origin, pathname } = new URL(address, webhookAddresses[0])
  if (!webhookAddresses.includes(`${origin}${pathname}`))
    return { state: 'bad', word: 'other', params: { address }, press: 'webhook' }
  return { state: 'good', word: 'fine' }
}

const webhookFields: Check = ({ said, wantedFields, vitalFields }): Judged => {
  const app = partValue(said?.webhook)
  if (app === undefined) return said?.webhook
  if (app === null) return { state: 'bad', word: 'none', press: 'webhook' }
  const wanted = [...wantedFields, ...(partValue(said?.status)?.isOnPhoneToo ? [echoField] : [])]
  const missing = wanted.filter(field => !app.fields.includes(field))
  const params = { fields: missing.join(', ') }
  if (missing.includes('messages')) return { state: 'bad', word: 'noMessages', params, press: 'field' }
  const unseen = missing.filter(field => vitalFields.includes(field))
  if (unseen.length) return { state: 'bad', word: 'unseen', params: { fields: unseen.join(', ') }, press: 'field' }
  if (missing.length) return { state: 'warning', word: 'missing', params, press: 'field' }
  return { state: 'good', word: 'fine', params: { count: wanted.length } }
}

const webhookReach: Check = ({ said, kind }): Judged => {
  const reach = partValue(said?.reach)
  if (reach === undefined) return said?.reach
  if (kind === 'sandbox') return { state: 'good', word: 'inside' }
  if (reach === 'answers') return { state: 'good', word: 'fine' }
  return { state: 'bad', word: reach, ...(reach === 'refuses' ? { press: 'webhook' } : {}) }
}

const webhookHeard: Check = ({ lastWebhookAt, now }): Judged => {
  if (lastWebhookAt === null) return { state: 'warning', word: 'never', press: 'webhook' }
  const isQuiet = now - Date.parse(lastWebhookAt) > quietDays * dayMs
  return isQuiet
    ? { state: 'warning', word: 'quiet', at: lastWebhookAt, press: 'webhook' }
    : { state: 'good', word: 'fine', at: lastWebhookAt }
}

const registered: Check = ({ said }): Judged => {
  const status = partValue(said?.status)
  if (!status) return said?.status
  if (status.isRegistered) return { state: 'good', word: status.isTestNumber ? 'test' : 'fine' }
  const params = { status: status.status ?? '—' }
  if (status.isVerified === false) return { state: 'bad', word: 'unproved', params, press: 'phones', mend: 'number' }
  return { state: 'bad', word: 'not', params, press: 'phones', mend: 'number' }
}

const name: Check = ({ said }): Judged => {
  const status = partValue(said?.status)
  if (!status) return said?.status
  const { isNameApproved, nextName } = status
  const params = { name: nextName.name ?? '' }
  if (nextName.name !== null && nextName.isApproved === true)
    return { state: 'warning', word: 'ready', params, mend: 'name' }
  if (nextName.name !== null && nextName.isApproved === null) return { state: 'good', word: 'asked', params }
  if (isNameApproved === true) return { state: 'good', word: 'fine' }
  if (isNameApproved === false) return { state: 'bad', word: 'declined', press: 'phones', mend: 'name' }
  return { state: 'warning', word: 'inReview', press: 'phones' }
}

const quality: Check = ({ said }): Judged => {
  if (said?.quality === undefined || 'failure' in said.quality) return said?.quality
  const { value } = said.quality
  if (value === null) return { state: 'unknown', word: 'unjudged' }
  if (value === 'high') return { state: 'good', word: 'high' }
  return { state: value === 'low' ? 'bad' : 'warning', word: value, press: 'insights' }
}

const limit: Check = ({ said, opened }): Judged => {
  const people = partValue(said?.limit)
  if (people === undefined) return said?.limit
  if (people === null) return { state: 'unknown', word: 'unsaid' }
  if (people < 0) return { state: 'good', word: 'endless', params: { used: opened } }
  const params = { used: opened, people }
  if (opened >= people * nearLimit) return { state: 'warning', word: 'near', params, press: 'phones' }
  return { state: 'good', word: 'fine', params }
}

const payment: Check = ({ said }): Judged => {
  const health = partValue(said?.health)
  if (!health) return said?.health
  const fault = health.faults.find(({ code }) => meansPayment(code))
  if (fault) return { state: 'bad', word: 'refused', params: { code: fault.code }, press: 'payment' }
  // Meta reports payment only if there is a problem with it.
  return health.maySend === 'no' ? { state: 'unknown', word: 'unsaid' } : { state: 'good', word: 'fine' }
}

const sending: Check = ({ said }): Judged => {
  const health = partValue(said?.health)
  if (!health) return said?.health
  const fault = health.faults.find(({ code }) => !meansPayment(code)) ?? health.faults[0]
  const params = { code: fault?.code ?? '—', says: fault?.remedy ?? fault?.says ?? '' }
  if (health.maySend === 'no') return { state: 'bad', word: 'blocked', params, press: 'accountQuality' }
  if (health.maySend === 'limited') return { state: 'warning', word: 'limited', params, press: 'accountQuality' }
  return health.maySend === 'yes' ? { state: 'good', word: 'fine' } : { state: 'unknown', word: 'unsaid' }
}

const templates: Check = ({ templates: sync }): Judged => {
  if (!sync) return undefined
  if (sync.failure !== null)
    return { state: 'warning', word: 'failed', params: { code: sync.failure }, mend: 'templates' }
  return sync.syncedAt === null ? undefined : { state: 'good', word: 'fine', at: sync.syncedAt }
}

const checks: Readonly<Record<CheckId, Check>> = {
  token,
  permissions,
  account,
  secret,
  subscription,
  webhookAddress,
  webhookFields,
  webhookReach,
  webhookHeard,
  registered,
  name,
  quality,
  limit,
  payment,
  sending,
  templates,
}

/** Runs every check; each is judged on its own. */
export const findingsOf = (facts: CheckFacts): Finding[] =>
  checkIds.map(id => {
    const found = checks[id](facts)
    return found !== undefined && 'state' in found ? { id, ...found } : unknown(id, found)
  })
