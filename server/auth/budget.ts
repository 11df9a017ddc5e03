import { createHmac } from 'node:crypto'
import { normalizeIP } from '@better-auth/core/utils/ip'
import { type Clock, isoIn, isoNow } from '../clock.ts'
import { type Databases, type Db, inTransaction } from '../db.ts'
import { deriveKey } from './secret.ts'

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
  /** Wrong guesses of an address' code: at most 10 in any hour, however many codes were sent. */
  guess(email: string): Budget
  /** Codes nobody used: at most 5 in any hour. A sign-in clears it, so that it only ever stops mail nobody wants. */
  send(email: string): Budget
  /** Calls of one network address (IPv6: of its /64) that lead to no sign-in: 60 a minute, as whole offices share one. */
  network(ip: string): Budget
  /** Invitations one person mails: 60 in an hour. */
  invite(userId: string): Budget
  /** Letters that ask whether an account shall be deleted: 5 in an hour. */
  farewell(userId: string): Budget
  /** Takes one of each, or none: answers the seconds to wait when any is used up. Durable and atomic. */
  take(
    budgets: readonly Budget[],
  ): Promise<{ readonly exhausted: Budget; readonly retryAfterSeconds: number } | undefined>
  /** Gives one of each back; what is named twice, twice. */
  giveBack(budgets: readonly Budget[]): Promise<void>
  /** Forgets what was used. */
  clear(budget: Budget): Promise<void>
}

const hourMs = 3_600_000

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

  const takeOne = async (trx: Db, budget: Budget) => {
    const row = await trx
      .insertInto('sign_in_budget')
      .values({ key: budget.key, used: 1, window_ends_at: isoIn(clock, budget.windowMs) })
      .onConflict(conflict =>
        conflict
          .column('key')
          .doUpdateSet(eb => ({
            used: eb('sign_in_budget.used', '+', 1),
            window_ends_at: budget.strict ? eb.ref('excluded.window_ends_at') : eb.ref('sign_in_budget.window_ends_at'),
          }))
          .where('sign_in_budget.used', '<', budget.limit),
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
    guess: email => ({ key: `guess:${hashed(email)}`, limit: 10, windowMs: hourMs, strict: true }),
    send: email => ({ key: `send:${hashed(email)}`, limit: 5, windowMs: hourMs, strict: true }),
    network: ip => ({
      key: `network:${normalizeIP(ip, { ipv6Subnet: 64 })}`,
      limit: 60,
      windowMs: 60_000,
      strict: false,
    }),
    farewell: userId => ({ key: `farewell:${userId}`, limit: 5, windowMs: hourMs, strict: true }),
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
