import type { Db } from '#server/platform/db/database.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { PeopleRoom } from '#shared/bulk-sends/plan.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { countOpened, findInWindow, findOpened, findOpenedAt, saveOpened } from './opened-store.ts'

const dayMs = 86_400_000

interface OfNumber {
  readonly orgId: string
  readonly connectionId: string
  /** Null: Meta has not said. `Infinity`: no limit. */
  readonly limit: number | null
}

const isEndless = (limit: number | null): limit is null => limit === null || !Number.isFinite(limit)

/**
 * Limits the people who may still be written to first today. Meta counts, for a whole business over the last 24 hours,
 * people whom a template reached outside their window. Here all of the organization's numbers count, at hand-over, so
 * the count is never lower than Meta's.
 */
export function createPeopleLimit({ clock }: { clock: Clock }) {
  const since = () => isoIn(clock, -dayMs)

  const record = async (
    { db, orgId }: Pick<OrgWrite, 'db' | 'orgId'>,
    contactIds: readonly string[],
  ): Promise<void> => {
    const rows = [...new Set(contactIds)].map(contactId => ({ contactId }))
    if (rows.length) await saveOpened(db, rows, { orgId, at: isoNow(clock) })
  }

  return {
    /** Records these people as written to first. */
    record,

    count: (db: Db, orgId: string): Promise<number> => countOpened(db, orgId, since()),

    /** Null: Meta has not said how many. */
    async leftOf(db: Db, { orgId, limit }: Omit<OfNumber, 'connectionId'>): Promise<PeopleRoom | null> {
      if (limit === null) return null
      return { limit: Number.isFinite(limit) ? limit : null, used: await countOpened(db, orgId, since()) }
    },

    /**
     * Returns the people within the limit, in order. People written to today or with an open window do not count. If
     * nobody is within it, `freeAt` says when the first one is.
     */
    async within<T extends { readonly phone: string }>(
      db: Db,
      { orgId, connectionId, limit }: OfNumber,
      people: readonly T[],
      contacts: readonly { readonly id: string; readonly match_key: string }[],
    ): Promise<{ people: readonly T[]; freeAt?: string }> {
      if (isEndless(limit)) return { people }
      const most: number = limit
      const used = await countOpened(db, orgId, since())
      let left = most - used
      if (left >= people.length) return { people }
      const ids = contacts.map(({ id }) => id)
      const free = new Set([
        ...(await findOpened(db, ids, { orgId, since: since() })).map(row => row.contact_id),
        ...(await findInWindow(db, ids, { orgId, connectionId, now: isoNow(clock) })).map(row => row.contact_id),
      ])
      const freePhones = new Set(contacts.filter(({ id }) => free.has(id)).map(contact => contact.match_key))
      const may = people.filter(({ phone }) => {
        if (freePhones.has(phoneKey(phone))) return true
        left -= 1
        return left >= 0
      })
      if (may.length) return { people: may }
      const oldest = await findOpenedAt(db, orgId, { since: since(), skip: Math.max(0, used - most) })
      return { people: may, freeAt: isoIn({ now: () => new Date(oldest ?? isoNow(clock)) }, dayMs) }
    },

    /** Anybody who gets a template outside their window counts, whatever sent it. */
    listener: {
      name: 'people written to first',
      on: ['message.sent', 'message.sentToMany'],
      after: ['taps on buttons that do something', 'opt-out words'],
      async handle({ db, orgId }, events) {
        const now = isoNow(clock)
        const people = events.flatMap(event => {
          if (event.type === 'message.sentToMany') return event.data.people
          const { message, conversation, contactId, past } = event.data
          return message.type === 'template' && !past
            ? [{ contactId, windowClosesAt: conversation.windowClosesAt }]
            : []
        })
        const first = people.filter(({ windowClosesAt }) => (windowClosesAt ?? '') <= now)
        await record(
          { db, orgId },
          first.map(({ contactId }) => contactId),
        )
      },
    } satisfies TransactionListener<'message.sent' | 'message.sentToMany'>,
  }
}
export type PeopleLimit = ReturnType<typeof createPeopleLimit>
