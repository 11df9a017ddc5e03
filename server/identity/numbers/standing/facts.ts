import type { AccountNews } from '#server/whatsapp/fields/account-news.ts'
import type { BusinessProfile, PictureBytes, ProfileKeeper } from '#server/whatsapp/management/business-profile.ts'
import type {
  AppWebhook,
  Health,
  NumberStatus,
  Quality,
  StandingReader,
  TokenState,
  WebhookRoutes,
} from '#server/whatsapp/management/standing.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { StoredStanding } from './store.ts'

/** Meta's answer for one part, or the error code if there is none. */
export type Part<T> = { readonly value: T } | { readonly failure: string }

/** Instead of an error code: this part was not read. */
export const notAsked = 'UNREAD'

/** The answer of our webhook to a call from outside. `local`: PUBLIC_URL is not a public address. */
export type Reach = 'answers' | 'local' | 'refuses' | 'silent'

/** Meta's statements about a number, part by part. */
export interface StandingFacts {
  readonly quality: Part<Quality | null>
  /** -1: no limit. */
  readonly limit: Part<number | null>
  readonly status: Part<NumberStatus>
  readonly routes: Part<WebhookRoutes>
  readonly health: Part<Health>
  readonly token: Part<TokenState>
  /** True: the number belongs to the account. */
  readonly account: Part<true>
  readonly apps: Part<readonly string[]>
  readonly webhook: Part<AppWebhook | null>
  readonly reach: Part<Reach>
  readonly profile: Part<BusinessProfile>
  readonly known?: KnownStanding
  /** Account news from webhooks, latest first. A reading keeps it. */
  readonly news?: readonly KeptNews[]
}

export type KeptNews = Omit<AccountNews, 'at'> & { readonly at: string }

/** The state of which owners and admins were last notified. A failed reading keeps it. */
export interface KnownStanding {
  readonly quality?: Quality | null | undefined
  readonly limit?: number | undefined
  /** They were last notified this many days before the token expires; absent: not yet. */
  readonly tokenDays?: number | undefined
}

interface StandingWays {
  readonly number: WhatsAppNumber
  readonly reader: StandingReader
  readonly profile: ProfileKeeper
  /** Calls the webhook as Meta does. */
  reach(signal: AbortSignal): Promise<Reach>
}

const part = async <T>(asked: Promise<T>): Promise<Part<T>> => {
  try {
    return { value: await asked }
  } catch (error) {
    if (!(error instanceof WhatsAppError)) throw error
    return { failure: error.code }
  }
}

export const partValue = <T>(one: Part<T> | undefined): T | undefined => (one && 'value' in one ? one.value : undefined)
export const partFailure = (one: Part<unknown> | undefined): string | undefined =>
  one && 'failure' in one ? one.failure : undefined

const asColumn = (limit: number | null) => (limit === Number.POSITIVE_INFINITY ? -1 : limit)

export const dataAddress = ({ mime, bytes }: PictureBytes): string => `data:${mime};base64,${bytes.toString('base64')}`

/** The business profile and its picture. `picture` undefined: could not be read. */
export async function readProfile(
  keeper: ProfileKeeper,
  signal?: AbortSignal,
): Promise<{ said: Part<BusinessProfile>; picture: string | null | undefined }> {
  const reading = await part(keeper.read(signal))
  if (!('value' in reading)) return { said: reading, picture: undefined }
  const { profile, pictureAddress } = reading.value
  if (pictureAddress === null) return { said: { value: profile }, picture: null }
  const bytes = partValue(await part(keeper.fetchPicture(pictureAddress, signal)))
  return { said: { value: profile }, picture: bytes && dataAddress(bytes) }
}

/** Asks Meta for all parts in parallel; each can fail on its own. */
export async function readFacts(
  { number, reader, profile, reach }: StandingWays,
  signal: AbortSignal,
): Promise<{ facts: StandingFacts; picture: string | null | undefined }> {
  const token = part(reader.token(signal))
  const webhook = token.then(async said => {
    const appId = partValue(said)?.appId
    return appId ? part(reader.appWebhook(appId, signal)) : { failure: partFailure(said) ?? 'UNREADABLE' }
  })
  const seen = readProfile(profile, signal)
  const account = part(number.check(signal).then((): true => true))
  const [quality, limit, status, routes, health, apps, reached] = await Promise.all([
    part(reader.quality(signal)),
    part(number.messagingLimit(signal).then(asColumn)),
    part(reader.status(signal)),
    part(reader.routes(signal)),
    part(reader.health(signal)),
    part(reader.subscribedApps(signal)),
    part(reach(signal)),
  ])
  const { said, picture } = await seen
  return {
    facts: {
      quality,
      limit,
      status,
      routes,
      health,
      token: await token,
      account: await account,
      apps,
      webhook: await webhook,
      reach: reached,
      profile: said,
    },
    picture,
  }
}

/** Facts in which every part failed with this code. */
export const factsWithout = (failure: string): StandingFacts => {
  const none = { failure }
  return {
    quality: none,
    limit: none,
    status: none,
    routes: none,
    health: none,
    token: none,
    account: none,
    apps: none,
    webhook: none,
    reach: none,
    profile: none,
  }
}

/** Undefined: not read yet. */
export const readStored = (stored: StoredStanding | undefined): StandingFacts | undefined =>
  stored && (JSON.parse(stored.facts) as StandingFacts)
