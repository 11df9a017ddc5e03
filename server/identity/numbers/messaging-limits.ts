import { Type } from 'typebox'
import type { Databases } from '#server/platform/db/db.ts'
import { vendorActor } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { longestGapMs } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { limitOfWebhook, messagingLimitFields } from '#server/whatsapp/fields/messaging-limit.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { listConnections, setMessagingLimit } from './store.ts'

interface MessagingLimitParts {
  readonly databases: Databases
  readonly log: Log
  readonly jobs: Jobs
  readonly writes: Pick<Writes, 'run'>
  readonly numbers: {
    findClient(orgId: string, connectionId: string): Promise<{ number: WhatsAppNumber } | undefined>
  }
}

/**
 * Keeps the number of people whom each number may write to first within a day. It is read from Meta when a number is
 * connected or a bulk send created; webhooks update it.
 */
export function createMessagingLimits({ databases, log, jobs, writes, numbers }: MessagingLimitParts) {
  const queue = jobs.register({
    name: 'numbers.messagingLimit',
    looksWithinMs: longestGapMs,
    payload: Type.Object({}),
    atOnce: 2,
    isKept: false,
    async run({ orgId }, { signal }) {
      for (const { id } of await listConnections(databases.read, orgId)) {
        const client = await numbers.findClient(orgId, id)
        if (!client) continue
        try {
          const limit = await client.number.messagingLimit(signal)
          if (limit !== null)
            await writes.run(orgId, vendorActor, ({ db }) => setMessagingLimit(db, orgId, { id }, limit))
        } catch (error) {
          if (signal.aborted) return { kind: 'released' }
          if (!(error instanceof WhatsAppError)) throw error
          log.info({ orgId, code: error.code }, 'the messaging limit of a number could not be read')
          if (error.retry === 'later' || error.retry === 'quick') return { kind: 'retry', reason: error.code }
        }
      }
      return undefined
    },
    lost: () => ({ kind: 'again', afterMs: 0 }),
  })

  const listener: TransactionListener<'connection.changed' | 'bulkSend.changed'> = {
    name: 'messaging limits',
    on: ['connection.changed', 'bulkSend.changed'],
    after: ['rights to bulk sends'],
    async handle({ db, orgId, afterCommit }, events) {
      const isWorthAsking = events.some(({ type, data }) =>
        type === 'connection.changed' ? data.status === 'connected' : data.before === null,
      )
      if (!isWorthAsking) return
      await queue.add(db, orgId, [{ payload: {}, uniqueKey: 'limit' }])
      afterCommit(queue.wake)
    },
  }

  return {
    listener,
    /** Meta sets the limit per business, so it applies to all numbers of the account. */
    taker: {
      feature: 'numbers',
      fields: messagingLimitFields,
      async apply({ db, orgId }: OrgWrite, items: readonly WebhookItem[]): Promise<void> {
        for (const item of items) {
          const limit = item.kind === 'management' ? limitOfWebhook(item.value) : undefined
          if (limit !== undefined) await setMessagingLimit(db, orgId, { wabaId: item.wabaId }, limit)
        }
      },
    },
  }
}
