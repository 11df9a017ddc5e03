import type { Db } from '#server/platform/db/database.ts'
import type { ConnectionStatus } from '#shared/numbers/api.ts'
import { readStored, type StandingFacts } from './facts.ts'

/** A connected number with what Meta said last about it. */
export interface NumberWithStanding {
  readonly id: string
  readonly kind: 'cloud' | 'sandbox'
  readonly phone: string
  readonly label: string | null
  readonly status: ConnectionStatus
  /** -1: no limit. Null: Meta has not said. */
  readonly messagingLimit: number | null
  /** Null: not read yet. */
  readonly readAt: string | null
  readonly facts: StandingFacts | undefined
}

/** All connected numbers of an organization, the first one first. */
export async function listStandings(db: Db, orgId: string, limit: number): Promise<NumberWithStanding[]> {
  const rows = await db
    .selectFrom('wa_connection')
    .leftJoin('number_standing', 'number_standing.connection_id', 'wa_connection.id')
    .select(['wa_connection.id', 'kind', 'phone', 'label', 'status', 'messaging_limit', 'read_at', 'facts'])
    .where('wa_connection.org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .orderBy('place')
    .orderBy('created_at')
    .orderBy('wa_connection.id')
    .limit(limit)
    .execute()
  return rows.map(({ messaging_limit: messagingLimit, read_at: readAt, facts, ...row }) => ({
    ...row,
    messagingLimit,
    readAt,
    facts: facts === null || readAt === null ? undefined : readStored({ readAt, facts, picture: null }),
  }))
}
