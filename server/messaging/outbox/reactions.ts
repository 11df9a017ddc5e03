import { Type } from 'typebox'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { longestRequestedWaitMs } from '#server/whatsapp/errors/errors.ts'
import { callsPerNumber, notConnected, numberKey, type OutboxNumbers, type ReportHealth } from './numbers.ts'
import { send } from './sender.ts'

/** The reaction that the customer should see on a message. `emoji` empty removes it. `before` is the previous one. */
export interface SentReaction {
  messageId: string
  connectionId: string
  targetWamid: string
  to: string
  emoji: string
  before: string
  at: string
  /** Comes back in its status. */
  callback?: string | undefined
}

interface ReactionParts {
  readonly jobs: Jobs
  readonly numbers: Pick<OutboxNumbers, 'findClient'>
  readonly reportHealth: ReportHealth
  /** WhatsApp refused the reaction: restores the previous one, unless it was changed since. */
  undoReaction(write: OrgWrite, reaction: SentReaction): Promise<void>
}

const maxTries = 5
const pauseMs = 4_000

const Reaction = Type.Object({
  messageId: Type.String(),
  connectionId: Type.String(),
  targetWamid: Type.String(),
  to: Type.String(),
  emoji: Type.String(),
  before: Type.String(),
  at: Type.String(),
  callback: Type.Optional(Type.String()),
})

/** Sends reactions, those to one message one after another. */
export function createReactions({ jobs, numbers, reportHealth, undoReaction }: ReactionParts) {
  const undo = (orgId: string, reaction: SentReaction, reason: string): Outcome => ({
    kind: 'failed',
    reason,
    write: writes => undoReaction(writes.of(orgId), reaction),
  })

  /** A reaction replaces the one before, so a call whose outcome is unknown is repeated. */
  const reactions = jobs.register<typeof Reaction, undefined>({
    name: 'outbox.reaction',
    looksWithinMs: longestRequestedWaitMs,
    payload: Reaction,
    lane: 'person',
    atOnce: 64,
    perOrg: callsPerNumber,
    isKept: false,
    async run({ orgId, payload, attempts }, { signal }) {
      const client = await numbers.findClient(orgId, payload.connectionId)
      if (!client || client.connection.status === 'reauthorise') return undo(orgId, payload, notConnected)
      const { to, targetWamid, emoji, callback } = payload
      const what = { kind: 'reaction', to, targetWamid, emoji, callback } as const
      const answer = await send({ number: client.number, what }, signal)
      await reportHealth(orgId, client.connection, answer)
      const { error } = answer
      if (!error) return undefined
      const isRepeatable = error.retry === 'later' || error.retry === 'quick' || error.retry === 'unknown'
      if (!isRepeatable || attempts >= maxTries) return undo(orgId, payload, error.code)
      return { kind: 'retry', afterMs: error.retryAfterMs ?? pauseMs * attempts, reason: error.code }
    },
    lost: ({ orgId, payload, attempts }) =>
      attempts < maxTries ? { kind: 'retry', afterMs: 0, reason: 'LOST' } : undo(orgId, payload, 'LOST'),
  })

  return async ({ db, orgId, afterCommit }: OrgWrite, reaction: SentReaction): Promise<void> => {
    const orderKey = `reaction ${reaction.messageId}`
    await reactions.add(db, orgId, [{ payload: reaction, orderKey, paceKey: numberKey(reaction.connectionId) }])
    afterCommit(jobs.wake)
  }
}
