import { Type } from 'typebox'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { longestRequestedWaitMs } from '#server/whatsapp/errors/errors.ts'
import { callsPerNumber, numberKey, type OutboxNumbers, type ReportHealth } from './numbers.ts'
import { send } from './sender.ts'

interface ReceiptParts {
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Jobs
  readonly numbers: Pick<OutboxNumbers, 'findClient'>
  readonly reportHealth: ReportHealth
}

interface InboundMessage {
  readonly conversationId: string
  readonly connectionId: string
  readonly wamid: string
}

/**
 * WhatsApp shows "typing" for 25 seconds. @see
 * https://developers.facebook.com/docs/whatsapp/cloud-api/typing-indicators
 */
const typingMs = 25_000
const maxTries = 2
const pauseMs = 4_000

const Receipt = Type.Object({
  kind: Type.Union([Type.Literal('read'), Type.Literal('typing')]),
  wamid: Type.String(),
  /** Jobs that were queued before an organization could have several numbers lack it. */
  connectionId: Type.Optional(Type.String()),
})

/** Sends read receipts and typing indicators. */
export function createReceipts({ clock, log, jobs, numbers, reportHealth }: ReceiptParts) {
  const receipts = jobs.register<typeof Receipt, undefined>({
    name: 'outbox.receipt',
    looksWithinMs: longestRequestedWaitMs,
    payload: Receipt,
    atOnce: 64,
    perOrg: callsPerNumber,
    isKept: false,
    async run({ orgId, payload, attempts, dueAt }, { signal }) {
      const { kind, wamid, connectionId } = payload
      const isLate = kind === 'typing' && clock.now().getTime() - Date.parse(dueAt) > typingMs
      const client = isLate ? undefined : await numbers.findClient(orgId, connectionId)
      if (!client || client.connection.status === 'reauthorise') return undefined
      const { error } = await send({ number: client.number, what: { kind, wamid } }, signal)
      if (!error) return undefined
      const isRepeatable = error.retry === 'later' || error.retry === 'quick'
      const isAgain = isRepeatable && kind === 'read' && attempts < maxTries
      log.info({ orgId, kind, code: error.code, isAgain }, 'WhatsApp refused a receipt')
      await reportHealth(orgId, client.connection, { error })
      return isAgain ? { kind: 'retry', afterMs: error.retryAfterMs ?? pauseMs, reason: error.code } : undefined
    },
    /** Not worth repeating. */
    lost: () => ({ kind: 'done' }),
  })

  const enqueue = async (
    { db, orgId, afterCommit }: OrgWrite,
    kind: 'read' | 'typing',
    rows: readonly InboundMessage[],
  ): Promise<void> => {
    if (!rows.length) return
    const jobsOf = rows.map(({ conversationId, connectionId, wamid }) => ({
      payload: { kind, wamid, connectionId },
      uniqueKey: `${kind} ${conversationId}`,
      paceKey: numberKey(connectionId),
    }))
    await receipts.cancel(
      db,
      orgId,
      jobsOf.map(job => job.uniqueKey),
    )
    await receipts.add(db, orgId, jobsOf)
    afterCommit(jobs.wake)
  }

  return {
    enqueueReads: (write: OrgWrite, rows: readonly InboundMessage[]) => enqueue(write, 'read', rows),
    enqueueTyping: (write: OrgWrite, of: InboundMessage) => enqueue(write, 'typing', [of]),
  }
}
