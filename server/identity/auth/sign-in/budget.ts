import { createHmac } from 'node:crypto'
import { normalizeIP } from '@better-auth/core/utils/ip'
import { deriveKey } from '#server/platform/crypto/installation-secret.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'

/** One key may do something `limit` times in a window. */
export interface Budget {
  readonly key: string
  readonly limit: number
  readonly windowMs: number
  /**
   * True: the window restarts with each use, so that no hour has more than `limit` uses; a fixed window lets twice as
   * many through around its edge. False: a fixed window, for keys that many people share.
   */
  readonly strict: boolean
}

export interface Budgets {
  /** Wrong codes in the flow that asked for the code: 10 in any hour, however many codes were sent. */
  guessInFlow(flowId: string): Budget
  /** Wrong codes for an address without its flow's cookie, from one network: 10 in any hour. */
  guess(email: string, ip: string): Budget
  /** Wrong codes for an address from all networks together that asked for no code: 10 in any hour. */
  guessAnywhere(email: string): Budget
  /**
   * Codes requested from one network and not used: 5 in any hour. A sign-in clears the count, so it stops only unwanted
   * mail.
   */
  send(email: string, ip: string): Budget
  /** Codes requested from all networks together and not used: 15 in any hour. */
  sendAnywhere(email: string): Budget
  /**
   * Codes requested from all networks together and not used: 40 a day. With five tries a code, this limits what
   * strangers can guess for an address.
   */
  sendPerDay(email: string): Budget
  /** Codes requested and not used in a browser where the person signed in before: 5 in any hour. */
  sendToKnown(flowId: string): Budget
  /** Wrong passwords in a browser where the person signed in before: 10 in any hour. */
  passwordInFlow(flowId: string): Budget
  /** Wrong passwords for a name in other browsers, from one network: 10 in any hour. */
  password(name: string, ip: string): Budget
  /** Wrong passwords for a name in other browsers, from all networks together: 30 in any hour. */
  passwordAnywhere(name: string): Budget
  /** Wrong passwords or codes of a signed-in person who changes a credential: 10 in any hour. */
  passwordChange(userId: string): Budget
  /** Codes mailed for such changes: 5 in any hour. */
  passwordCode(userId: string): Budget
  /** Requests for the codes that change a mail address: 5 in any hour. */
  emailCodes(userId: string): Budget
  /** Wrong codes for that change: 10 in any hour. */
  emailChange(userId: string): Budget
  /** Wrong second-factor codes of a person, from anywhere: 10 in any hour. */
  secondFactor(userId: string): Budget
  /** Wrong second-factor codes from one network, for anybody: 30 in any hour. */
  secondFactorFrom(ip: string): Budget
  /** Codes mailed to finish a sign-in: 5 in any hour. */
  secondStepCode(userId: string): Budget
  /** Calls that lead to no sign-in, from one address (IPv6: one /64): 60 a minute, because whole offices share one. */
  network(ip: string): Budget
  /** Invitations that one person mails: 60 an hour. */
  invite(userId: string): Budget
  /** Mails that confirm the deletion of an account: 5 in any hour. */
  accountDeletion(userId: string): Budget
  /** Requests to an organization's identity providers: 60 an hour. */
  ssoCheck(orgId: string): Budget
  /** Mails to the administrator of a domain, from all organizations: 5 in any hour. */
  domainLetter(domain: string): Budget
  /** Such mails from one organization, to any domain: 10 in any hour. */
  domainLettersOf(orgId: string): Budget
  /** API keys that one person creates: 60 an hour. */
  apiKey(userId: string): Budget
  /**
   * Takes one use of each budget, or none: if any is used up, returns it with the seconds to wait. Atomic, and stored
   * in the database.
   */
  take(
    budgets: readonly Budget[],
  ): Promise<{ readonly exhausted: Budget; readonly retryAfterSeconds: number } | undefined>
  /** Returns one use of each; a budget listed twice gets two. */
  giveBack(budgets: readonly Budget[]): Promise<void>
  /** Resets the count to zero. */
  clear(budget: Budget): Promise<void>
  addressKey(email: string): string
  /** A hash of the network. */
  networkKey(ip: string): string
}

const hourMs = 3_600_000
/** The longest window of all budgets. @see deleteEnded */
export const longestWindowMs = 24 * hourMs
/** A window that ends further ahead than this beyond a new one was started by a clock that was wrong. It is ignored. */
const clockSlackMs = 60_000

const hourly = (key: string, limit: number): Budget => ({ key, limit, windowMs: hourMs, strict: true })

/** The address; for IPv6, its /64. */
const networkOf = (ip: string): string => normalizeIP(ip, { ipv6Subnet: 64 })

class Exhausted extends Error {
  readonly budget: Budget
  constructor(budget: Budget) {
    super('A budget is used up')
    this.budget = budget
  }
}

/** Counts uses in the database, so that they survive restarts and all processes share them. */
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
    accountDeletion: userId => hourly(`farewell:${userId}`, 5),
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
