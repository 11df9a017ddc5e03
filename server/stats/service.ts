import type { ServiceOf } from '#shared/contract.ts'
import { maxCounted, type statsApi } from '#shared/stats.ts'
import { dayStart, defaultTimeZone, isTimeZone } from '#shared/time.ts'
import type { OrgCaller } from '../actor.ts'
import type { Clock } from '../clock.ts'
import type { Databases } from '../db.ts'
import { InvalidInput } from '../validate.ts'
import { countConversations, countMessages } from './store.ts'

export function createStats(parts: { databases: Databases; clock: Clock }): ServiceOf<typeof statsApi, OrgCaller> {
  const { databases, clock } = parts
  return {
    /** @throws InvalidInput for a zone nobody knows. */
    async getOverview(member, { query: { timeZone = defaultTimeZone } }) {
      if (!isTimeZone(timeZone)) throw new InvalidInput([{ field: 'query.timeZone', code: 'invalid', params: {} }])
      const since = dayStart(clock.now().getTime(), timeZone)
      const limit = maxCounted + 1
      const conversations = await countConversations(databases.read, member, limit)
      const messages = await countMessages(databases.read, member, since, limit)
      return { ...conversations, ...messages, since }
    },
  }
}
