import { notAsked, type Part, partValue, type StandingFacts } from '#server/identity/numbers/standing/facts.ts'
import { listStandings, type NumberWithStanding } from '#server/identity/numbers/standing/list.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { paths } from '#shared/kernel/paths.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { HealthBlock, NumberHealth } from '#shared/stats/blocks.ts'
import type { Block } from './block.ts'

export interface HealthBlockParts {
  readonly databases: Databases
  readonly bulkSends: { countOpened(orgId: string): Promise<number> }
}

const maxNumbers = 200

type Why = NumberHealth['quality']['why']

/** Why a part is not known; null: it is. */
const whyUnknown = (facts: StandingFacts | undefined, part: Part<unknown> | undefined, isKnown: boolean): Why => {
  if (isKnown) return null
  if (!facts || !part || ('failure' in part && part.failure === notAsked)) return 'notRead'
  return 'failure' in part ? 'refused' : 'notSaid'
}

const tokenOf = ({ status, facts }: NumberWithStanding): NumberHealth['token'] => {
  const said = partValue(facts?.token)
  const isRefused = status === 'reauthorise' || said?.isValid === false
  return {
    isRefused,
    expiresAt: said?.expiresAt ?? null,
    lasts: isRefused || said?.expiresAt === undefined ? null : said.expiresAt === null,
    why: isRefused ? null : whyUnknown(facts, facts?.token, said?.expiresAt !== undefined),
  }
}

const healthOf = (number: NumberWithStanding, href: string | null): NumberHealth => {
  const { id, kind, phone, label, readAt, facts, messagingLimit } = number
  const quality = partValue(facts?.quality) ?? null
  const people = messagingLimit ?? partValue(facts?.limit) ?? null
  return {
    id,
    number: displayPhone(phone) || phone,
    label,
    isSimulated: kind === 'sandbox',
    readAt,
    quality: { value: quality, why: whyUnknown(facts, facts?.quality, quality !== null) },
    limit: { people, why: whyUnknown(facts, facts?.limit, people !== null) },
    token: tokenOf(number),
    href,
  }
}

/** The last known state of each number at Meta, and how much of its limit is used. */
export const createHealthBlock = ({ databases, bulkSends }: HealthBlockParts): Block<HealthBlock> => ({
  name: 'health',
  async read({ orgId, orgSlug, role }) {
    const href = roleCan(role, 'connection:read') ? paths.settingsOf(orgSlug, 'whatsapp') : null
    const numbers = await listStandings(databases.read, orgId, maxNumbers)
    return { opened: await bulkSends.countOpened(orgId), items: numbers.map(number => healthOf(number, href)) }
  },
  toTable: ({ opened, items }, say) => {
    const known = (value: string | number | null, why: Why) => (why === null ? value : say(`health.why.${why}`))
    return {
      columns: ['number', 'quality', 'limit', 'used', 'token', 'readAt'].map(name => say(`column.${name}`)),
      rows: items.map(({ number, quality, limit, token, readAt }) => [
        number,
        known(quality.value && say(`health.quality.${quality.value}`), quality.why),
        known(limit.people === -1 ? say('health.unlimited') : limit.people, limit.why),
        opened,
        token.isRefused
          ? say('health.tokenRefused')
          : known(token.lasts ? say('health.tokenLasts') : token.expiresAt, token.why),
        readAt,
      ]),
    }
  },
})
