import type { EventOf } from '#server/platform/events/domain.ts'
import type { Deriving, TransactionListener } from '#server/platform/events/listeners.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { unconfirmedCode, whyManyStop } from '#server/whatsapp/errors/code-meanings.ts'
import type { RecipientState } from '#shared/bulk-sends/states.ts'
import { failureReason } from '#shared/inbox/failures.ts'
import { moveSend } from '../changed.ts'
import { curveDelta, curveEnd } from '../reports/curve.ts'
import { addToCurve } from '../reports/curve-store.ts'
import { addOptedOut, addToCounts, findSend } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import type { Announcing } from './announcing.ts'
import { findExceeded, minJudged } from './limits.ts'
import {
  findAnswerable,
  findOfLatest,
  findRecipients,
  moveConversation,
  type RecipientRow,
  saveOptedOut,
  saveStates,
} from './recipient-store.ts'
import { answersWithinMs, latestSends } from './unanswered.ts'

type Heard = 'message.status' | 'message.received' | 'contact.merged' | 'contact.optedOut'

interface Move {
  readonly row: RecipientRow
  readonly state: RecipientState
  readonly reason: string | null
}

/** A recipient's state from a message's status. A message that WhatsApp accepted counts as sent. */
const stateOfMessage = ({
  status,
  wamid,
  errorCode,
}: Pick<EventOf<'message.status'>['data'], 'status' | 'wamid' | 'errorCode'>): RecipientState => {
  if (status === 'failed') return failureReason(errorCode ?? undefined) === 'unconfirmed' ? 'unconfirmed' : 'failed'
  if (status === 'read' || status === 'delivered' || status === 'sent') return status
  return wamid === null ? 'queued' : 'sent'
}

/** Why a message failed, or that it is unconfirmed. */
const reasonOf = (state: RecipientState, { errorCode, unconfirmed }: EventOf<'message.status'>['data']) => {
  if (state === 'failed' || state === 'unconfirmed') return errorCode
  return state === 'queued' && unconfirmed ? unconfirmedCode : null
}

const statusMoves = async ({ db, orgId }: Deriving, events: readonly EventOf<'message.status'>[]): Promise<Move[]> => {
  const last = new Map(events.filter(({ data }) => data.bulk).map(({ data }) => [data.id, data]))
  if (!last.size) return []
  const rows = await findRecipients(db, [...last.keys()], { orgId })
  return rows.flatMap(row => {
    const data = last.get(row.id)
    // A customer who replied has read it, whatever statuses follow.
    if (!data || row.state === 'replied') return []
    const state = stateOfMessage(data)
    return [{ row, state, reason: reasonOf(state, data) }]
  })
}

/** Counts opt-outs for the last send that each contact had. Returns the ids of those sends. */
const countOptedOut = async (
  { db, orgId }: Deriving,
  events: readonly EventOf<'contact.optedOut'>[],
  clock: Clock,
): Promise<string[]> => {
  const ids = events.flatMap(({ data }) => data.conversationId ?? [])
  if (!ids.length) return []
  const rows = latestSends(await findOfLatest(db, ids, { orgId, since: isoIn(clock, -answersWithinMs) }))
  await saveOptedOut(db, orgId, { ids: rows.map(({ id }) => id), at: isoNow(clock) })
  const bySend = Map.groupBy(rows, row => row.send_id)
  for (const [sendId, own] of bySend) await addOptedOut(db, orgId, sendId, own.length)
  return [...bySend.keys()]
}

const answerMoves = async (
  { db, orgId }: Deriving,
  events: readonly EventOf<'message.received'>[],
  clock: Clock,
): Promise<Move[]> => {
  const ids = events.filter(({ data }) => !data.past && !data.group).map(({ data }) => data.conversationId)
  if (!ids.length) return []
  const found = await findAnswerable(db, ids, { orgId, since: isoIn(clock, -answersWithinMs) })
  return latestSends(found).map(row => ({ row, state: 'replied', reason: null }))
}

const countMoves = (moves: readonly Move[]) => {
  const deltas: Partial<Record<RecipientState, number>> = {}
  for (const { row, state } of moves) {
    deltas[row.state] = (deltas[row.state] ?? 0) - 1
    deltas[state] = (deltas[state] ?? 0) + 1
  }
  return deltas
}

/** Records the outcome of each message, in the transaction of its status. */
export function createOutcomes({
  clock,
  announcing,
}: {
  clock: Clock
  announcing: Announcing
}): TransactionListener<Heard> {
  /** Ends a send when its last message is settled, and stops it when the next ones would fail for the same reason. */
  const settle = async (write: Deriving, send: StoredSend, moves: readonly Move[]) => {
    if (send.state !== 'running') return
    const why = moves.flatMap(({ state, reason }) => (state === 'failed' && reason ? [whyManyStop(reason)] : []))
    const reason = why.find(one => one !== undefined)
    if (reason && send.counts.planned) return moveSend(write, send, { state: 'blocked', reason })
    const exceeded = send.counts.planned ? findExceeded(send, minJudged) : undefined
    if (exceeded) return moveSend(write, send, { state: 'blocked', reason: exceeded })
    if (!send.counts.planned && !send.counts.queued)
      return moveSend(write, send, { state: 'completed', endedAt: isoNow(clock) })
  }

  return {
    name: 'outcomes of bulk sends',
    on: ['message.status', 'message.received', 'contact.merged', 'contact.optedOut'],
    after: ['opt-out words', 'opt-outs by refusal'],
    async handle(write, events) {
      const { db, orgId } = write
      const of = <T extends Heard>(type: T) =>
        events.filter((event): event is EventOf<T> & typeof event => event.type === type)
      for (const { data } of of('contact.merged'))
        if (data.mergedConversationId !== data.conversationId)
          await moveConversation(db, orgId, { from: data.mergedConversationId, to: data.conversationId })
      const moves = [
        ...(await statusMoves(write, of('message.status'))),
        ...(await answerMoves(write, of('message.received'), clock)),
      ].filter(({ row, state, reason }) => row.state !== state || row.reason !== reason)
      const left = await countOptedOut(write, of('contact.optedOut'), clock)
      if (!moves.length && !left.length) return
      const at = isoNow(clock)
      const last = new Map(moves.map(move => [move.row.id, move]))
      await saveStates(
        db,
        [...last].map(([id, { state, reason }]) => ({ id, state, reason })),
        { orgId, at },
      )
      const bySend = Map.groupBy(last.values(), ({ row }) => row.send_id)
      for (const sendId of new Set([...bySend.keys(), ...left])) {
        const own = bySend.get(sendId) ?? []
        const deltas = countMoves(own)
        await addToCounts(db, orgId, sendId, deltas)
        const send = await findSend(db, orgId, sendId)
        if (!send) continue
        const until = curveEnd(send.startedAt ?? send.createdAt, at)
        await addToCurve(db, orgId, sendId, { until, ...curveDelta(deltas) })
        await settle(write, send, own)
        await announcing.ask(write, send)
      }
    },
  }
}
