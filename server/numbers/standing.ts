import { Type } from 'typebox'
import type { ServiceOf } from '#shared/contract.ts'
import { daysUntil, tokenEndingDays } from '#shared/days-until.ts'
import type { Language } from '#shared/language.ts'
import type { ConnectionProfile, NumberStanding, numberStandingApi } from '#shared/number-standing.ts'
import { rolesWith } from '#shared/permissions.ts'
import { displayPhone } from '#shared/phone-display.ts'
import { fullTime } from '#shared/time.ts'
import type { OrgCaller } from '../actor.ts'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import type { Databases } from '../db.ts'
import { actorOf, vendorActor } from '../events/actors.ts'
import type { TransactionListener } from '../events/listeners.ts'
import type { OrgWrite, Writes } from '../events/writes.ts'
import { readPicture } from '../files/pictures.ts'
import type { Jobs } from '../jobs/jobs.ts'
import type { Log } from '../log.ts'
import type { Notifications } from '../notifications/service.ts'
import { InvalidInput } from '../validate.ts'
import type { WhatsAppAccount } from '../whatsapp/account.ts'
import type { BusinessProfile, PictureBytes, ProfileKeeper } from '../whatsapp/business-profile.ts'
import type { WebhookItem } from '../whatsapp/inbound.ts'
import type { StandingReader } from '../whatsapp/standing.ts'
import { type CheckFacts, type Finding, findingsOf } from './checks.ts'
import { oneOf } from './chosen-number.ts'
import { connectionRead } from './connections.ts'
import { numbersErrors } from './errors.ts'
import type { OpenConnection } from './keyring.ts'
import { asked } from './refusals.ts'
import type { NumberClient } from './service.ts'
import {
  dataAddress,
  type KnownStanding,
  notAsked,
  type Part,
  type Reach,
  readFacts,
  readProfile,
  type StandingFacts,
  saidOf,
} from './standing-facts.ts'
import { findMessagingLimit, findStanding, type StoredStanding, saveStanding } from './standing-store.ts'
import { findConnection, listConnections, type StoredConnection, setMessagingLimit } from './store.ts'
import { unreadableKeys } from './unusable-number.ts'

export interface StandingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly numbers: {
    clientOf(orgId: string, connectionId: string): Promise<NumberClient | undefined>
    findByConnectionId(id: string): Promise<OpenConnection | undefined>
  }
  readerFor(opened: OpenConnection): StandingReader
  profileFor(opened: OpenConnection): ProfileKeeper
  accountFor(opened: OpenConnection): Pick<WhatsAppAccount, 'uploadFile'>
  /** Knocks at the webhook of a number as Meta does. */
  reach(opened: OpenConnection, signal: AbortSignal): Promise<Reach>
  /** Addresses that webhooks of a connection may come to. */
  webhookAddressesOf(connectionId: string): readonly string[]
  readonly wantedFields: readonly string[]
  countOpened(orgId: string): Promise<number>
  /** How the reading of templates went last. */
  templatesOf(orgId: string): Promise<CheckFacts['templates']>
  timeZoneOf(orgId: string): Promise<string>
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  readonly notifyRoles: Notifications['notifyRoles']
}

const everyMs = 6 * 3_600_000
const afterFailureMs = 30 * 60_000
/** What was just connected or told is read after a moment, once, however many asked. */
const settleMs = 3_000
/** Who presses again at once gets what was just read. */
const freshMs = 5_000
const readMs = 40_000
/** Days before a token's end on which somebody is told. */
const warnings = [tokenEndingDays, 3, 1] as const

const hrefs: Readonly<Record<string, string>> = {
  newToken: 'https://business.facebook.com/settings/system-users',
  scopes: 'https://business.facebook.com/settings/system-users',
  assign: 'https://business.facebook.com/settings/system-users',
  numberIds: 'https://business.facebook.com/wa/manage/phone-numbers/',
  appSecret: 'https://developers.facebook.com/apps/',
  webhook: 'https://developers.facebook.com/apps/',
  field: 'https://developers.facebook.com/apps/',
  phones: 'https://business.facebook.com/wa/manage/phone-numbers/',
  insights: 'https://business.facebook.com/wa/manage/insights/',
  payment: 'https://business.facebook.com/billing_hub/accounts/',
  accountQuality: 'https://business.facebook.com/accountquality/',
}

/** Its words tell of what may make a number stand otherwise. */
const standingFields = ['phone_number_name_update', 'account_update', 'account_review_update'] as const
/** What an app has to be told of so that nothing is missed, beside what other rooms want. */
export const ownStandingFields: readonly string[] = standingFields

const emptyProfile: BusinessProfile = { about: '', address: '', description: '', email: '', websites: [], vertical: '' }

const readStored = (stored: StoredStanding | undefined): StandingFacts | undefined =>
  stored && (JSON.parse(stored.facts) as StandingFacts)

/** A part that was not answered for a moment keeps what was known of it. */
const kept = <T>(before: Part<T> | undefined, now: Part<T>): Part<T> =>
  'failure' in now && passing.has(now.failure) && before && 'value' in before ? before : now
const passing = new Set(['NETWORK', 'TIMEOUT', 'UNCONFIRMED'])

/**
 * How each number stands with Meta: read by a job of its own, when something tells of a change and when somebody asks;
 * what is wrong is said with what mends it. Also the profile that customers see.
 */
export function createStanding(parts: StandingParts) {
  const { databases, clock, log, jobs, writes, numbers, translate } = parts
  const running = new Map<string, Promise<StoredStanding | undefined>>()

  /** Tells owners and admins what has become worse than they know, once; answers what they know now. */
  const tell = async (
    write: OrgWrite,
    phone: string,
    facts: StandingFacts,
    before: KnownStanding = {},
  ): Promise<KnownStanding> => {
    const number = displayPhone(phone) || phone
    const notify = (key: string, params: Record<string, string | number>) =>
      parts.notifyRoles(write, rolesWith('connection:manage'), { words: { key, params: { number, ...params } } })
    const quality = saidOf(facts.quality)
    if (quality === 'medium' && before.quality === 'high') await notify('qualityMedium', {})
    if (quality === 'low' && before.quality !== 'low' && before.quality !== undefined) await notify('qualityLow', {})
    const [most, people] = [before.limit, saidOf(facts.limit) ?? undefined]
    const isLower = most !== undefined && people !== undefined && people >= 0 && (most < 0 || people < most)
    if (isLower) await notify('limitLower', { people })
    return {
      quality: quality ?? before.quality ?? quality,
      limit: people ?? most,
      tokenDays: await tellOfToken(facts, before.tokenDays, notify),
    }
  }

  /** Of how many days before its end people know. */
  const tellOfToken = async (
    facts: StandingFacts,
    known: number | undefined,
    notify: (key: string, params: Record<string, number>) => Promise<void>,
  ): Promise<number | undefined> => {
    const expiresAt = saidOf(facts.token)?.expiresAt
    if (expiresAt === undefined) return known
    const days = expiresAt === null ? Number.POSITIVE_INFINITY : daysUntil(expiresAt, clock.now().getTime())
    const due = warnings.findLast(one => days <= one)
    if (due !== undefined && due !== known) await notify('tokenEnding', { count: Math.max(0, days) })
    return due
  }

  const readNow = async (known: StoredConnection, signal: AbortSignal) => {
    const { orgId, id } = known
    const client = await numbers.clientOf(orgId, id)
    const opened = client && (await numbers.findByConnectionId(id))
    if (!client) return undefined
    const { facts, picture } = opened
      ? await readFacts(
          {
            number: client.number,
            reader: parts.readerFor(opened),
            profile: parts.profileFor(opened),
            reach: () => parts.reach(opened, signal),
          },
          signal,
        )
      : { facts: factsWithout(unreadableKeys), picture: undefined }
    return writes.run(orgId, vendorActor, async write => {
      const stored = await findStanding(write.db, orgId, id)
      const before = readStored(stored)
      // Let go meanwhile: nothing hangs on it any more.
      if (!(await findConnection(write.db, orgId, id))) return undefined
      const merged = { ...facts, profile: kept(before?.profile, facts.profile) }
      const next = {
        readAt: isoNow(clock),
        facts: JSON.stringify({ ...merged, known: await tell(write, known.phone, merged, before?.known) }),
        picture: picture === undefined ? (stored?.picture ?? null) : picture,
      }
      const people = saidOf(facts.limit) ?? null
      if (people !== null) await setMessagingLimit(write.db, orgId, { id }, people)
      await saveStanding(write.db, orgId, id, next)
      if (stored?.facts !== next.facts || stored.picture !== next.picture) write.emit(connectionRead(known))
      return next
    })
  }

  /** Those who ask at once share one reading. */
  const read = (known: StoredConnection, signal?: AbortSignal) => {
    const { id } = known
    const under = running.get(id)
    if (under) return under
    const limit = AbortSignal.timeout(readMs)
    const work = readNow(known, signal ? AbortSignal.any([signal, limit]) : limit).finally(() => running.delete(id))
    running.set(id, work)
    return work
  }

  /** What goes wrong with one keeps nobody from reading the others. */
  const readOrLog = async (known: StoredConnection, signal: AbortSignal) => {
    try {
      return await read(known, signal)
    } catch (error) {
      if (!signal.aborted)
        log.error({ err: error, orgId: known.orgId, connectionId: known.id }, 'how a number stands could not be read')
      return undefined
    }
  }

  const queue = jobs.register({
    name: 'numbers.standing',
    payload: Type.Object({}),
    atOnce: 2,
    isKept: false,
    async run({ orgId }, { signal }) {
      const known = await listConnections(databases.read, orgId)
      // Whatever connects one adds the job again.
      if (!known.length) return undefined
      let isMissing = false
      for (const one of known) {
        const stored = await readOrLog(one, signal)
        if (signal.aborted) return { kind: 'released' }
        isMissing ||= !stored || 'failure' in (readStored(stored) as StandingFacts).token
      }
      return { kind: 'again', afterMs: isMissing ? afterFailureMs : everyMs }
    },
    lost: () => ({ kind: 'again', afterMs: afterFailureMs }),
  })

  const askFor = async ({ db, orgId }: OrgWrite) => {
    await queue.cancel(db, orgId)
    await queue.add(db, orgId, [{ payload: {}, uniqueKey: 'standing', dueAt: isoIn(clock, settleMs) }])
  }

  const listener: TransactionListener<'connection.changed'> = {
    name: 'how numbers stand',
    on: ['connection.changed'],
    async handle(write, events) {
      if (events.some(({ data }) => data.status === 'connected')) await askFor(write)
    },
  }

  const say = async (caller: OrgCaller, finding: Finding) => {
    const { id, state, word, params = {}, at, press, mend } = finding
    const say = (key: string) => translate(caller.language, `standing:${key}`, spoken)
    const spoken: Record<string, string | number> = at
      ? { ...params, at: fullTime(at, caller.language, await parts.timeZoneOf(caller.orgId)) }
      : { ...params }
    const general = ['notRead', 'noToken', 'noAnswer'].includes(word)
    return {
      id,
      title: say(`check.${id}.title`),
      state,
      says: general ? say(`unknown.${word}`) : say(`check.${id}.${word}`),
      press: press ? say(`press.${press}`).split(' › ') : [],
      href: (press && hrefs[press]) ?? null,
      mend: mend ?? null,
    }
  }

  const present = async (caller: OrgCaller, known: StoredConnection): Promise<NumberStanding> => {
    const { orgId } = caller
    const stored = await findStanding(databases.read, orgId, known.id)
    const said = readStored(stored)
    const column = await findMessagingLimit(databases.read, orgId, known.id)
    const used = await parts.countOpened(orgId)
    // A webhook may have told of the limit since.
    const limit: StandingFacts['limit'] | undefined = column === null ? said?.limit : { value: column }
    const token = saidOf(said?.token)
    const findings = findingsOf({
      kind: known.kind,
      said: said && limit ? { ...said, limit } : said,
      now: clock.now().getTime(),
      webhookAddresses: parts.webhookAddressesOf(known.id),
      lastWebhookAt: known.lastWebhookAt,
      wabaId: known.wabaId,
      opened: used,
      templates: await parts.templatesOf(orgId),
      wantedFields: parts.wantedFields,
    })
    const checks: NumberStanding['checks'] = []
    for (const finding of findings) checks.push(await say(caller, finding))
    return {
      connection: { id: known.id, kind: known.kind, phone: known.phone },
      readAt: stored?.readAt ?? null,
      quality: saidOf(said?.quality) ?? null,
      limit: { people: saidOf(limit) ?? null, used },
      token: {
        expiresAt: token?.expiresAt ?? null,
        lasts: token?.expiresAt === undefined ? null : token.expiresAt === null,
      },
      lastWebhookAt: known.lastWebhookAt,
      checks,
    }
  }

  const presentProfile = (stored: StoredStanding | undefined): ConnectionProfile => {
    const profile = saidOf(readStored(stored)?.profile)
    const { websites, ...texts } = profile ?? emptyProfile
    return {
      ...texts,
      readAt: (profile && stored?.readAt) ?? null,
      websites: [...websites],
      picture: stored?.picture ?? null,
    }
  }

  const knownOf = async (caller: OrgCaller, which: { id?: string; number?: string }) =>
    oneOf(await listConnections(databases.read, caller.orgId), which)

  const openedOf = async (known: StoredConnection) => {
    const opened = await numbers.findByConnectionId(known.id)
    if (!opened) throw numbersErrors.TOKEN_REFUSED({ params: { code: unreadableKeys } })
    return opened
  }

  /**
   * Read again at once, so that what is shown is what Meta keeps; should it not answer, what it just took.
   * @param taken the picture it took: Meta may show the old one for a while, and gives large ones as they came
   */
  const saidAfter = async (
    caller: OrgCaller,
    known: StoredConnection,
    change: Partial<BusinessProfile>,
    taken?: PictureBytes,
  ) => {
    const keeper = parts.profileFor(await openedOf(known))
    const reading = await readProfile(keeper)
    const { said } = reading
    const picture = taken ? dataAddress(taken) : reading.picture
    return writes.run(known.orgId, actorOf(caller), async write => {
      const stored = await findStanding(write.db, known.orgId, known.id)
      const before = readStored(stored) ?? factsWithout(notAsked)
      const profile = 'value' in said ? said : { value: { ...(saidOf(before.profile) ?? emptyProfile), ...change } }
      const next = {
        readAt: stored?.readAt ?? isoNow(clock),
        facts: JSON.stringify({ ...before, profile }),
        picture: picture === undefined ? (stored?.picture ?? null) : picture,
      }
      await saveStanding(write.db, known.orgId, known.id, next)
      write.emit(connectionRead(known))
      return presentProfile(next)
    })
  }

  const service: ServiceOf<typeof numberStandingApi, OrgCaller> = {
    getStanding: async (caller, { query }) => present(caller, await knownOf(caller, query)),

    async readStanding(caller, { query }) {
      const known = await knownOf(caller, query)
      const stored = await findStanding(databases.read, caller.orgId, known.id)
      const isFresh = stored !== undefined && clock.now().getTime() - Date.parse(stored.readAt) < freshMs
      if (!isFresh) await read(known)
      return present(caller, known)
    },

    async subscribe(caller, { query }) {
      const known = await knownOf(caller, query)
      const client = await numbers.clientOf(caller.orgId, known.id)
      if (!client) throw numbersErrors.NOT_CONNECTED()
      await asked(client.number.subscribe())
      log.info({ orgId: caller.orgId, connectionId: known.id }, 'the app was subscribed to a WhatsApp account')
      await running.get(known.id)
      await read(known)
      return present(caller, known)
    },

    async getProfile(caller, { query }) {
      const known = await knownOf(caller, query)
      return presentProfile(await findStanding(databases.read, caller.orgId, known.id))
    },

    async changeProfile(caller, { query, body }) {
      const known = await knownOf(caller, query)
      const keeper = parts.profileFor(await openedOf(known))
      const website = body.websites?.findIndex(one => !/^https?:\/\/[^\s/]+\.[^\s]+$/i.test(one.trim())) ?? -1
      if (website >= 0) throw new InvalidInput([{ field: `body.websites.${website}`, code: 'invalid', params: {} }])
      const email = body.email?.trim()
      if (email && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
        throw new InvalidInput([{ field: 'body.email', code: 'invalid', params: {} }])
      const trimmed = Object.fromEntries(
        Object.entries(body).map(([name, value]) => [
          name,
          typeof value === 'string' ? value.trim() : value.map(one => one.trim()),
        ]),
      )
      const [field, ...others] = Object.keys(body)
      await asked(keeper.change(trimmed), { name: 'PROFILE_REFUSED', field: others.length ? undefined : field })
      return saidAfter(caller, known, trimmed)
    },

    async setProfilePicture(caller, { query, body }) {
      const known = await knownOf(caller, query)
      const picture = readPicture(body.dataBase64)
      if (picture === 'tooLarge' || picture === 'notImage' || picture.extension === 'webp')
        throw new InvalidInput(
          [{ field: 'body.dataBase64', code: 'invalid', params: {} }],
          numbersErrors.PICTURE_REFUSED().code,
        )
      const opened = await openedOf(known)
      const mime = picture.extension === 'png' ? 'image/png' : 'image/jpeg'
      const bytes = new Blob([new Uint8Array(picture.bytes)], { type: mime })
      const pictureHandle = await asked(
        parts.accountFor(opened).uploadFile({ name: `profile.${picture.extension}`, mime, bytes }),
      )
      await asked(parts.profileFor(opened).change({ pictureHandle }))
      return saidAfter(caller, known, {}, { mime, bytes: picture.bytes })
    },
  }

  return {
    service,
    listener,
    taker: {
      room: 'numbers',
      fields: standingFields,
      apply: (write: OrgWrite, _items: readonly WebhookItem[]) => askFor(write),
    },
  }
}

/** Every part without an answer, and why. */
const factsWithout = (failure: string): StandingFacts => {
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
