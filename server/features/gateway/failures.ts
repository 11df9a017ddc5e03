import { findOwnNumbers } from '#server/messaging/sending/as-program.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { failureText } from '#server/whatsapp/errors/errors.ts'
import { failedWebhook } from '#server/whatsapp/serving/program-names.ts'
import { findGatewayMessages } from './message-store.ts'

interface FailureParts {
  translate(language: 'en', key: string, params?: Record<string, string>): string
  /** Gives a webhook to the programs that take Meta's, in the caller's transaction. */
  passOn(write: OrgWrite, body: string): Promise<void>
}

/**
 * Meta sends no status for a message that it never accepted, but the program was answered an id for it. It gets a failed
 * status in Meta's shape. An unconfirmed message may have arrived, so it gets none.
 */
export const createFailures = ({ translate, passOn }: FailureParts): TransactionListener<'message.status'> => ({
  name: 'gateway failures',
  on: ['message.status'],
  async handle(write, events) {
    const failed = events.flatMap(({ data }) =>
      data.status === 'failed' && data.wamid === null && !data.unconfirmed && !data.bulk ? [data] : [],
    )
    if (!failed.length) return
    const ids = failed.map(({ id }) => id)
    const rows = new Map((await findGatewayMessages(write.db, ids, write)).map(row => [row.id, row]))
    const ours = failed.filter(({ id }) => rows.has(id))
    if (!ours.length) return
    const numbers = await findOwnNumbers(
      write,
      ours.map(one => one.conversationId),
    )
    for (const { id, conversationId, number: recipient, at, errorCode } of ours) {
      const number = numbers.get(conversationId)
      const code = errorCode ?? ''
      const text = failureText((key, params) => translate('en', key, params), code)
      const message = { id, callbackData: rows.get(id)?.callback_data ?? null }
      if (number) await passOn(write, JSON.stringify(failedWebhook(number, message, { at, recipient, code, text })))
    }
  },
})
