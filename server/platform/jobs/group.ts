import type { GroupRow, JobRow } from './add-store.ts'
import type { ClaimedRow } from './claim-store.ts'
import type { Job, JobGroup } from './job.ts'
import { lanes, queueOf } from './lane.ts'

/** Numbers of those in a row lie between its own and the next one. */
const mostInAGroup = 1024

type Member = readonly [payload: string, orderKey: string | null, uniqueKey: string | null]

/** Jobs that begin together, in one row: their payloads and keys are what it says. */
export const groupRowOf = (rows: readonly JobRow[]): GroupRow => {
  const members = rows.map(({ payload, orderKey, uniqueKey }): Member => [payload, orderKey, uniqueKey])
  return { ...(rows[0] as JobRow), payload: JSON.stringify({ group: members }) }
}

/** Those of a row that is theirs together; undefined: it is one job's. */
export const readGroup = (payload: string): readonly Member[] | undefined =>
  payload.startsWith('{"group":') ? (JSON.parse(payload) as { group: readonly Member[] }).group : undefined

/** Gives some the place of a row that is theirs together, each with a number of its own. */
export const groupAt = (seq: number, size: number): { group: JobGroup; seqOf(place: number): number } => {
  if (size >= mostInAGroup) throw new Error(`${size} jobs share a row`)
  return { group: { seq, left: size }, seqOf: place => seq + (place + 1) / mostInAGroup }
}

/** The rows they would have had, of what a row says that is theirs together. */
export const membersOf = (row: ClaimedRow, members: readonly Member[]): { row: ClaimedRow; group: JobGroup }[] => {
  const { group, seqOf } = groupAt(row.seq, members.length)
  return members.map(([payload, order_key, unique_key], i) => ({
    row: { ...row, seq: seqOf(i), payload, order_key, unique_key },
    group,
  }))
}

/** One that is not over leaves what they shared. */
export const ownRowOf = ({ orgId, kind, rank, payload, orderKey, paceKey, uniqueKey, dueAt, addedAt }: Job): JobRow => {
  const lane = lanes[rank] as (typeof lanes)[number]
  const place = {
    orgId,
    kind,
    lane: rank,
    queue: queueOf({ kind, lane, orgId, paceKey }),
    orderKey,
    paceKey,
    uniqueKey,
  }
  return { ...place, payload: JSON.stringify(payload) ?? 'null', state: 'waiting', blocked: 0, dueAt, addedAt }
}
