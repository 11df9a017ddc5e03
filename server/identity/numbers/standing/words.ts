import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { tokenRefusedCode } from '#server/whatsapp/errors/code-meanings.ts'
import type { WantedFields } from '#server/whatsapp/webhooks/subscriptions.ts'
import type { Language } from '#shared/kernel/language.ts'
import { fullTime } from '#shared/kernel/time.ts'
import type { NumberStanding } from '#shared/numbers/standing.ts'
import type { StoredConnection } from '../store.ts'
import { type CheckFacts, type Finding, findingsOf } from './checks.ts'
import { partValue, readStored, type StandingFacts } from './facts.ts'
import { newsText } from './news-words.ts'
import { findMessagingLimit, findStanding } from './store.ts'

export interface StandingWordsParts {
  readonly databases: Databases
  readonly clock: Clock
  /** Addresses that a connection's webhooks may be sent to. */
  webhookAddressesOf(connectionId: string): readonly string[]
  countOpened(orgId: string): Promise<number>
  /** The last synchronization of templates. */
  templatesOf(orgId: string): Promise<CheckFacts['templates']>
  readTimeZone(orgId: string): Promise<string>
  /** Webhook fields that the number's app should subscribe to. */
  wantedFields(): WantedFields
  translate(language: Language, key: string, params?: Record<string, string | number>): string
}

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

/** Builds the page about a number: findings with texts, and links that fix them. */
export function createStandingWords(parts: StandingWordsParts) {
  const { databases, clock, translate } = parts

  const say = async (caller: OrgCaller, finding: Finding) => {
    const { id, state, word, params = {}, at, press, mend } = finding
    const say = (key: string) => translate(caller.language, `standing:${key}`, spoken)
    const spoken: Record<string, string | number> = at
      ? { ...params, at: fullTime(at, caller.language, await parts.readTimeZone(caller.orgId)) }
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
    // A webhook may have updated the limit since.
    const limit: StandingFacts['limit'] | undefined = column === null ? said?.limit : { value: column }
    const token = partValue(said?.token)
    const refusedCode = known.status === 'reauthorise' ? (known.statusReason ?? tokenRefusedCode) : undefined
    const findings = findingsOf({
      kind: known.kind,
      said: said && limit ? { ...said, limit } : said,
      now: clock.now().getTime(),
      webhookAddresses: parts.webhookAddressesOf(known.id),
      lastWebhookAt: known.lastWebhookAt,
      wabaId: known.wabaId,
      opened: used,
      templates: await parts.templatesOf(orgId),
      wantedFields: parts.wantedFields().all,
      vitalFields: parts.wantedFields().vital,
      refusedCode,
    })
    const checks: NumberStanding['checks'] = []
    for (const finding of findings) checks.push(await say(caller, finding))
    return {
      connection: { id: known.id, kind: known.kind, phone: known.phone },
      readAt: stored?.readAt ?? null,
      quality: partValue(said?.quality) ?? null,
      limit: { people: partValue(limit) ?? null, used },
      token: {
        expiresAt: token?.expiresAt ?? null,
        lasts: token?.expiresAt === undefined || refusedCode !== undefined ? null : token.expiresAt === null,
        refused: refusedCode !== undefined || token?.isValid === false,
      },
      lastWebhookAt: known.lastWebhookAt,
      checks,
      news: (said?.news ?? []).map(({ key, level, params, at }) => ({
        level,
        at,
        says: newsText({ key, params }, (text, places) => translate(caller.language, `standing:${text}`, places)),
      })),
    }
  }

  return { present }
}
