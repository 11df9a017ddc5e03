import { hasConnectedNumber } from '#server/identity/numbers/outside-number.ts'
import type { SendingElsewhere } from '#server/messaging/scheduled-messages/elsewhere.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { UpstreamInbox } from './inbox.ts'

/** The call did not reach the upstream, or it says that it does nothing now. */
const notYet = new Set(['UPSTREAM_UNREACHABLE', 'UPSTREAM_RESTING', 'UPSTREAM_BUSY'])

const kindOf = ({ code, textCode, status }: AppError) => {
  if (textCode === 'UPSTREAM_UNCERTAIN') return 'uncertain'
  if (notYet.has(code)) return 'notYet'
  return status < 500 || code === 'UPSTREAM_TOKEN_REFUSED' ? 'refused' : 'uncertain'
}

/** Sends what was written earlier, through the upstream. */
export const createSendingElsewhere = (inboxOf: () => UpstreamInbox): SendingElsewhere => ({
  isFor: async (db, orgId) => !(await hasConnectedNumber(db, orgId)),
  refresh: (caller, conversationId) => inboxOf().refresh(caller, conversationId),

  async send(caller, { conversationId, text, key }) {
    const asking = { ...caller, request: { id: key, idempotencyKey: key } }
    try {
      const body = { type: 'text', message: text, numberTel: conversationId }
      return { kind: 'sent', message: await inboxOf().sendMessage(asking, { body }) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      return { kind: kindOf(error), error }
    }
  },
})
