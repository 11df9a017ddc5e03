import type { Outcome } from '#server/platform/jobs/job.ts'
import { rankOf } from '#server/platform/jobs/lane.ts'
import type { Log } from '#server/platform/log/log.ts'
import { tokenRefusedCode } from '#server/whatsapp/errors/code-meanings.ts'
import { WhatsAppError } from '#server/whatsapp/provider.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import { type AttemptBatchParts, createAttemptBatches } from './attempt-batches.ts'
import { createMessageFile, type MessageFileParts } from './message-file.ts'
import { notConnected, type OutboxClient, type OutboxNumbers, type ReportHealth } from './numbers.ts'
import { addressFor, decide } from './retry.ts'
import type { createSendOutcomes, SendJob } from './send-outcomes.ts'
import type { SendTiming } from './send-queue.ts'
import { type Answer, send } from './sender.ts'
import type { Spacing } from './spacing.ts'
import type { SendRow } from './store.ts'

export const bulkRank = rankOf('bulk')
/** A message waits this long when its organization's number could not be read. */
const numberUnreadableMs = 30_000

interface SendMessageParts extends MessageFileParts, Omit<AttemptBatchParts, 'messages'> {
  readonly log: Log
  readonly numbers: OutboxNumbers
  /** Paces bulk messages. Absent: they leave as they are claimed. */
  readonly spacing?: Spacing | undefined
}

interface Helpers {
  readonly outcomes: ReturnType<typeof createSendOutcomes>
  readonly reportHealth: ReportHealth
  readonly messages: AttemptBatchParts['messages']
}

/** A claimed message, with what was read for it. */
export interface ReadyMessage {
  row: SendRow & { content: OutboundMessage }
  callback: string
  attemptedAt: string
  /** The worker that claimed it. A process that stood still too long gets a new worker id. */
  owner: string
  /** Shared by the bulk messages that were claimed together. */
  client: Promise<OutboxClient | undefined> | undefined
}

/** Makes the request of a claimed message. `decide` says what a refusal means, `outcomes` stores it. */
export function createSendMessage(parts: SendMessageParts, { outcomes, reportHealth, messages }: Helpers) {
  const { log, numbers, spacing } = parts
  const file = createMessageFile(parts)
  const storeAttempt = createAttemptBatches({ ...parts, messages })
  /** Waits for a bulk message's slot and stores its attempt. Undefined: it must not be sent. */
  const waitToSend = async (
    job: SendJob,
    claimed: ReadyMessage,
  ): Promise<{ timing?: SendTiming; at: string } | undefined> => {
    let at: string | undefined
    const storeOwnAttempt = async () => {
      at = await storeAttempt(job, claimed)
      return at !== undefined
    }
    const timing = spacing
      ? await spacing.waitForSlot(job.paceKey, storeOwnAttempt)
      : (await storeOwnAttempt()) || undefined
    return timing && at !== undefined ? { at, ...(timing === true ? {} : { timing }) } : undefined
  }

  const sendMessage = async (job: SendJob, claimed: ReadyMessage, signal: AbortSignal): Promise<Outcome> => {
    const { row, callback, client: sharedClient } = claimed
    let client: OutboxClient | undefined
    try {
      client = await (sharedClient ?? numbers.findClient(job.orgId, row.connectionId))
    } catch (error) {
      log.error({ err: error, orgId: job.orgId }, 'the number of a message could not be read; the message is retried')
      return outcomes.retryLater(callback, numberUnreadableMs, 'NUMBER_UNUSABLE')
    }
    if (!client) return outcomes.unsent(job, notConnected, callback)
    const { status, statusReason } = client.connection
    if (status === 'reauthorise') return outcomes.unsent(job, statusReason ?? tokenRefusedCode, callback)
    const facts = { ...row, to: row.to ?? '', attempts: job.attempts - 1 }
    const to = addressFor(facts)
    const { number } = client
    const copy = await file.of(number, job.orgId, row, signal)
    let start: Awaited<ReturnType<typeof waitToSend>> = { at: claimed.attemptedAt }
    try {
      if (job.rank === bulkRank) start = await waitToSend(job, claimed)
    } catch (error) {
      log.error(
        { err: error, orgId: job.orgId },
        'the attempt of a bulk message could not be stored; the message is retried',
      )
      return outcomes.retryLater(callback, numberUnreadableMs, 'NOT_WRITTEN')
    }
    if (!start) return { kind: 'gone' }
    const { timing } = start
    const ready = { ...claimed, attemptedAt: start.at }
    const what = { kind: 'message', to, replyToWamid: row.replyToWamid ?? undefined, callback } as const
    const sendWith = ({ content, uploaded }: Exclude<typeof copy, WhatsAppError>) =>
      send({ number, what: { ...what, content, uploadedId: uploaded?.providerId }, onWire: timing?.written }, signal)
    const answer: Answer = copy instanceof WhatsAppError ? { error: copy } : await sendWith(copy)
    if (answer.accepted || answer.error?.httpStatus) timing?.answered()
    await reportHealth(job.orgId, client.connection, answer)
    const { accepted, error } = answer
    if (accepted) return outcomes.accepted(job, callback, accepted)
    if (!error) return outcomes.unknown(job)
    if (!(copy instanceof WhatsAppError) && (await file.forgetLostUploads(job.orgId, row, copy, error)))
      return outcomes.refused(job, ready, error, { kind: 'retry', afterMs: 0 })
    return outcomes.refused(job, ready, error, decide(error, { ...facts, tries: job.attempts, to }))
  }

  return sendMessage
}
