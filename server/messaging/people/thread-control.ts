import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { Log } from '#server/platform/log/log.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'

interface ThreadControlParts {
  readonly log: Log
  findClient(
    orgId: string,
    connectionId: string,
  ): Promise<{ readonly number: Pick<WhatsAppNumber, 'controlThread'> } | undefined>
}

type Turned = EventOf<'conversation.controlChanged'>

/**
 * Informs Meta when a person takes a chat from its agent without writing. A message does so by itself. Meta's webhooks
 * show who has control, so a refusal changes nothing here.
 */
export const createThreadControl = ({
  log,
  findClient,
}: ThreadControlParts): TransactionListener<'conversation.controlChanged' | 'message.sent'> => ({
  name: "chats taken from Meta's agent",
  on: ['conversation.controlChanged', 'message.sent'],
  after: ['taps on buttons that do something', 'opt-out words', 'activity lines'],
  async handle({ db, orgId, afterCommit }, events) {
    const written = new Set(events.flatMap(({ type, data }) => (type === 'message.sent' ? [data.conversationId] : [])))
    const taken = events
      .filter((event): event is Turned => event.type === 'conversation.controlChanged')
      .filter(({ data }) => data.from === 'metaAgent' && data.to === 'human' && !written.has(data.conversationId))
    if (!taken.length) return
    const ids = taken.map(({ data }) => data.conversationId)
    const rows = await findRows.byId(db, ids, { orgId })
    const take = async ({ connection_id: connectionId, wa_id: waId, bsuid }: (typeof rows)[number]) => {
      try {
        const client = await findClient(orgId, connectionId)
        await client?.number.controlThread({ waId, bsuid }, 'take')
      } catch (error) {
        if (!(error instanceof WhatsAppError)) throw error
        log.info({ orgId, connectionId, code: error.code }, "Meta's agent keeps a chat until somebody writes")
      }
    }
    afterCommit(() => {
      for (const row of rows)
        void take(row).catch(error => log.error({ err: error, orgId }, "a chat was not taken from Meta's agent"))
    })
  },
})
