import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OrgDb, OrgWrite } from '#server/platform/events/write.ts'
import { findRows, neverActive } from '../rows/list-row-store.ts'
import { emitChanged } from './emit-changed.ts'
import {
  findNewestSeq,
  listMessageTimes,
  listReactionTimes,
  listSimulatedTimes,
  saveConversationTimes,
  saveMessageTimes,
  saveReactionTimes,
} from './simulated-time-store.ts'

/** Changed rows that emit an event. Clients that show more see them when they reload. */
const maxEvents = 100
/** Rows changed in one transaction, with pauses between. */
export const rowsPerSlice = 200

interface SimulatedTimeParts {
  /** Runs a transaction of the organization. */
  run<T>(work: (write: OrgWrite) => Promise<T>): Promise<T>
}

const earlier = (at: string | null, ms: number): string | null =>
  at === null ? null : new Date(Date.parse(at) - ms).toISOString()

/**
 * Makes the next messages of a simulated conversation and their reactions older. Returns the last one's arrival number.
 * Undefined: none is left.
 */
const ageMessages = async (
  db: OrgDb,
  orgId: string,
  conversationId: string,
  slice: { after: number; until: number; ms: number },
): Promise<number | undefined> => {
  const { after, until, ms } = slice
  const rows = await listMessageTimes(db, orgId, conversationId, { after, until, limit: rowsPerSlice })
  if (!rows.length) return undefined
  const ids = rows.map(row => row.id)
  const reactions = await listReactionTimes(db, orgId, ids)
  await saveMessageTimes(
    db,
    rows.map(row => ({
      seq: row.seq,
      at: earlier(row.at, ms),
      sent_at: earlier(row.sent_at, ms),
      delivered_at: earlier(row.delivered_at, ms),
      read_at: earlier(row.read_at, ms),
      failed_at: earlier(row.failed_at, ms),
      edited_at: earlier(row.edited_at, ms),
      revoked_at: earlier(row.revoked_at, ms),
    })),
    { orgId },
  )
  await saveReactionTimes(
    db,
    reactions.map(row => ({ ...row, at: earlier(row.at, ms) as string })),
    { orgId },
  )
  return rows.length < rowsPerSlice ? undefined : rows.at(-1)?.seq
}

/** Makes the next conversations older. Returns their ids. */
const ageRows = async (
  write: OrgWrite,
  connectionId: string,
  slice: { after: string; until: number; ms: number; emitted: number },
): Promise<string[]> => {
  const { db, orgId } = write
  const { after, until, ms, emitted } = slice
  const found = await listSimulatedTimes(db, orgId, connectionId, { after, limit: rowsPerSlice })
  if (!found.length) return []
  // A conversation with a newer message keeps its row.
  const still = found.filter(row => (row.last_message_seq ?? 0) <= until)
  await saveConversationTimes(
    db,
    still.map(row => ({
      id: row.id,
      window_closes_at: earlier(row.window_closes_at, ms),
      waiting_since: earlier(row.waiting_since, ms),
      last_activity_at: row.last_activity_at === neverActive ? neverActive : earlier(row.last_activity_at, ms),
      last_message_at: earlier(row.last_message_at, ms),
      last_human_event_at: earlier(row.last_human_event_at, ms),
      created_at: earlier(row.created_at, ms),
    })),
    { orgId },
  )
  const ids = still.slice(0, Math.max(0, maxEvents - emitted)).map(row => row.id)
  await emitChanged(write, await findRows.byId(db, ids, { orgId }))
  return found.map(row => row.id)
}

/**
 * Makes the conversations and messages of a simulated number `ms` older, so that windows close. Conversations of real
 * numbers and contacts, which may be shared, do not change. Runs in slices of at most 200 rows; messages that arrive
 * meanwhile keep their time. Emits the changed rows of the list, 100 at most.
 */
export async function ageSimulated({ run }: SimulatedTimeParts, connectionId: string, ms: number): Promise<void> {
  const until = await run(({ db }) => findNewestSeq(db))
  let after = ''
  let emitted = 0
  for (;;) {
    const slice = { after, until, ms, emitted }
    const ids = await run(write => ageRows(write, connectionId, slice))
    await nextTurn()
    for (const id of ids) {
      let seq: number | undefined = 0
      while (seq !== undefined) {
        const place: number = seq
        seq = await run(({ db, orgId }) => ageMessages(db, orgId, id, { after: place, until, ms }))
        await nextTurn()
      }
    }
    emitted += ids.length
    if (ids.length < rowsPerSlice) return
    after = ids.at(-1) ?? after
  }
}
