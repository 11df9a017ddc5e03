import { createHmac } from 'node:crypto'
import { normalizeIP } from '@better-auth/core/utils/ip'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'

/** How often something may happen for one key. */
export interface Budget {
  readonly key: string
  readonly limit: number
  readonly windowMs: number
  /**
   * True: the window starts again with each use, so that no hour ever holds more than `limit` (a fixed window lets
   * twice as many through around its edge). False: a fixed window, for keys that many people share.
   */
  readonly strict: boolean
}

export interface Budgets {
  /** Wrong guesses in the flow that asked for the code: 10 in any hour, however many codes were sent. */
  guessInFlow(flowId: string): Budget
  /** Wrong guesses of an address' code without its flow's cookie, from one network: 10 in any hour. */
  guess(email: string, ip: string): Budget
  /** The same from networks that asked for no code, all together: 10 in any hour. */
  guessAnywhere(email: string): Budget
  /** Codes nobody used, asked for from one network: 5 in any hour. A sign-in clears these, so that they only ever stop mail nobody wants. */
  send(email: string, ip: string): Budget
  /** The same from all networks together: 15 in any hour. */
  sendAnywhere(email: string): Budget
  /** And 40 in a day: with five tries a code, what strangers can guess of an address. */
  sendPerDay(email: string): Budget
  /** Codes nobody used, asked for in a browser where the person came in before: 5 in any hour. */
  sendToKnown(flowId: string): Budget
  /** Wrong passwords in a browser where the person came in before: 10 in any hour. */
  passwordInFlow(flowId: string): Budget
  /** Wrong passwords for a name elsewhere, from one network: 10 in any hour. */
  password(name: string, ip: string): Budget
  /** The same from all networks together: 30 in any hour. */
  passwordAnywhere(name: string): Budget
  /** Wrong proofs of whoever wants to change a credential while signed in: 10 in any hour. */
  passwordChange(userId: string): Budget
  /** Codes mailed for such changes: 5 in an hour. */
  passwordCode(userId: string): Budget
  /** Times a person asks for the codes that change their address: 5 in an hour. */
  emailCodes(userId: string): Budget
  /** Wrong codes of that: 10 in any hour. */
  emailChange(userId: string): Budget
  /** Wrong codes of a person's second factor, wherever they come from: 10 in any hour. */
  secondFactor(userId: string): Budget
  /** The same from one network, whoever's they are: 30 in any hour. */
  secondFactorFrom(ip: string): Budget
  /** Codes mailed to finish a sign-in: 5 in an hour. */
  secondStepCode(userId: string): Budget
  /** Calls of one network address (IPv6: of its /64) that lead to no sign-in: 60 a minute, as whole offices share one. */
  network(ip: string): Budget
  /** Invitations one person mails: 60 in an hour. */
  invite(userId: string): Budget
  /** Letters that ask whether an account shall be deleted: 5 in an hour. */
  farewell(userId: string): Budget
  /** Times an organization's providers are asked something for it: 60 in an hour. */
  ssoCheck(orgId: string): Budget
  /** Letters to who administers a domain, whoever asks for them: 5 in an hour. */
  domainLetter(domain: string): Budget
  /** Such letters of one organization, to any domain: 10 in an hour. */
  domainLettersOf(orgId: string): Budget
  /** API keys one person makes: 60 in an hour. */
  apiKey(userId: string): Budget
  /** Takes one of each, or none: answers the seconds to wait when any is used up. Durable and atomic. */
  take(
    budgets: readonly Budget[],
  ): Promise<{ readonly exhausted: Budget; readonly retryAfterSeconds: number } | undefined>
  /** Gives one of each back; what is named twice, twice. */
  giveBack(budgets: readonly Budget[]): Promise<void>
  /** Forgets what was used. */
  clear(budget: Budget): Promise<void>
  /** A key that does not tell the address. */
  addressKey(email: string): string
  /** A key that does not tell the network. */
  networkKey(ip: string): string
}

const hourMs = 3_600_000
/** The longest window there is. @see deleteEnded */
export const longestWindowMs = 24 * hourMs
/** A window that ends so much later than one begun now was begun by a clock that ran ahead: it counts no more. */
const clockSlackMs = 60_000

const hourly = (key: string, limit: number): Budget => ({ key, limit, windowMs: hourMs, strict: true })

/** The address, or of IPv6 its /64. */
const networkOf = (ip: string): string => normalizeIP(ip, { ipv6Subnet: 64 })

class Exhausted extends Error {
  readonly budget: Budget
  constructor(budget: Budget) {
    super('A budget is used up')
    this.budget = budget
  }
}

/** Counts attempts in the database, so that neither a restart nor a second process forgets them. */
export function createBudgets({
  databases,
  clock,
  secret,
}: {
  databases: Databases
  clock: Clock
  secret: string
}): Budgets {
  const hashKey = deriveKey(secret, 'sign-in budgets')
  const hashed = (value: string) => createHmac('sha256', hashKey).update(value).digest('base64url')

  const networkKey = (ip: string) => hashed(networkOf(ip))

  const takeOne = async (trx: Db, budget: Budget) => {
    const farthest = isoIn(clock, budget.windowMs + clockSlackMs)
    const row = await trx
      .insertInto('sign_in_budget')
      .values({ key: budget.key, used: 1, window_ends_at: isoIn(clock, budget.windowMs) })
      .onConflict(conflict =>
        conflict
          .column('key')
          .doUpdateSet(eb => {
            const isFromAhead = eb('sign_in_budget.window_ends_at', '>', farthest)
            const ends = budget.strict ? 'excluded.window_ends_at' : 'sign_in_budget.window_ends_at'
            return {
              used: eb
                .case()
                .when(isFromAhead)
                .then(1)
                .else(eb('sign_in_budget.used', '+', 1))
                .end(),
              window_ends_at: eb
                .case()
                .when(isFromAhead)
                .then(eb.ref('excluded.window_ends_at'))
                .else(eb.ref(ends))
                .end(),
            }
          })
          .where(eb =>
            eb.or([eb('sign_in_budget.used', '<', budget.limit), eb('sign_in_budget.window_ends_at', '>', farthest)]),
          ),
      )
      .returning('used')
      .executeTakeFirst()
    if (!row) throw new Exhausted(budget)
  }

  const waitFor = async (key: string) => {
    const row = await databases.write
      .selectFrom('sign_in_budget')
      .select('window_ends_at')
      .where('key', '=', key)
      .executeTakeFirst()
    const waitMs = row ? Date.parse(row.window_ends_at) - clock.now().getTime() : 0
    return Math.max(1, Math.ceil(waitMs / 1000))
  }

  return {
    guessInFlow: flowId => hourly(`guess-flow:${flowId}`, 10),
    guess: (email, ip) => hourly(`guess:${hashed(email)}:${networkKey(ip)}`, 10),
    guessAnywhere: email => hourly(`guess:${hashed(email)}`, 10),
    send: (email, ip) => hourly(`send:${hashed(email)}:${networkKey(ip)}`, 5),
    sendAnywhere: email => hourly(`send:${hashed(email)}`, 15),
    sendPerDay: email => ({ key: `send-day:${hashed(email)}`, limit: 40, windowMs: longestWindowMs, strict: false }),
    sendToKnown: flowId => hourly(`send-known:${flowId}`, 5),
    passwordInFlow: flowId => hourly(`password-flow:${flowId}`, 10),
    password: (name, ip) => hourly(`password:${hashed(name)}:${networkKey(ip)}`, 10),
    passwordAnywhere: name => hourly(`password:${hashed(name)}`, 30),
    passwordChange: userId => hourly(`password-change:${userId}`, 10),
    passwordCode: userId => hourly(`password-code:${userId}`, 5),
    emailCodes: userId => hourly(`email-codes:${userId}`, 5),
    emailChange: userId => hourly(`email-change:${userId}`, 10),
    secondFactor: userId => hourly(`second-factor:${userId}`, 10),
    secondFactorFrom: ip => hourly(`second-factor-from:${networkKey(ip)}`, 30),
    secondStepCode: userId => hourly(`second-step-code:${userId}`, 5),
    addressKey: hashed,
    networkKey,
    network: ip => ({ key: `network:${networkOf(ip)}`, limit: 60, windowMs: 60_000, strict: false }),
    farewell: userId => hourly(`farewell:${userId}`, 5),
    apiKey: userId => ({ key: `api-key:${userId}`, limit: 60, windowMs: hourMs, strict: false }),
    ssoCheck: orgId => ({ key: `sso-check:${orgId}`, limit: 60, windowMs: hourMs, strict: false }),
    domainLetter: domain => hourly(`domain-letter:${hashed(domain)}`, 5),
    domainLettersOf: orgId => hourly(`domain-letters-of:${orgId}`, 10),
    invite: userId => ({ key: `invite:${userId}`, limit: 60, windowMs: hourMs, strict: false }),

    async take(budgets) {
      try {
        await inTransaction(databases, async trx => {
          await trx.deleteFrom('sign_in_budget').where('window_ends_at', '<=', isoNow(clock)).execute()
          for (const budget of budgets) await takeOne(trx, budget)
        })
        return undefined
      } catch (error) {
        if (!(error instanceof Exhausted)) throw error
        return { exhausted: error.budget, retryAfterSeconds: await waitFor(error.budget.key) }
      }
    },

    async giveBack(budgets) {
      await inTransaction(databases, async trx => {
        for (const { key } of budgets)
          await trx
            .updateTable('sign_in_budget')
            .set(eb => ({ used: eb('used', '-', 1) }))
            .where('key', '=', key)
            .where('used', '>', 0)
            .execute()
      })
    },

    async clear({ key }) {
      await databases.write.deleteFrom('sign_in_budget').where('key', '=', key).execute()
    },
  }
}
