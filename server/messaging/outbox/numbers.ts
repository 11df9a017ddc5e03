import type { Log } from '#server/platform/log/log.ts'
import { blocksAccount } from '#server/whatsapp/errors/code-meanings.ts'
import type { WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { Answer } from './sender.ts'

/** A number that messages are sent from. */
export interface OutboxClient {
  number: WhatsAppNumber
  connection: { id: string; status: string; statusReason: string | null }
}

export interface OutboxNumbers {
  findClient(orgId: string, connectionId?: string): Promise<OutboxClient | undefined>
  markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
  markBlocked(orgId: string, connectionId: string, reason: string): Promise<void>
  markWorking(orgId: string, connectionId: string): Promise<void>
}

/** The organization has no number connected, or the number was disconnected while something waited. */
export const notConnected = 'NOT_CONNECTED'

/**
 * The limit of requests in flight of a number. At 1,000 bulk messages a second, answered within half a second, about
 * 500 are.
 */
export const callsPerNumber = 1280

/** Jobs of one number share a rate. */
const keyPrefix = 'number '
export const numberKey = (connectionId: string): string => `${keyPrefix}${connectionId}`
/** The number that a rate key belongs to. */
export const paceKeyConnection = (paceKey: string): string => paceKey.slice(keyPrefix.length)

/** Stores what an answer says about the number. Failures are logged and do not change the answer. */
export type ReportHealth = (orgId: string, connection: OutboxClient['connection'], answer: Answer) => Promise<void>

export const createHealthReport =
  ({ numbers, log }: { numbers: OutboxNumbers; log: Log }): ReportHealth =>
  async (orgId, { id, status }, { accepted, error }) => {
    try {
      if (error?.retry === 'credentials') await numbers.markReauthorise(orgId, id, error.code)
      else if (error && blocksAccount(error.code)) await numbers.markBlocked(orgId, id, error.code)
      else if (accepted && status === 'blocked') await numbers.markWorking(orgId, id)
    } catch (error) {
      log.error({ err: error, orgId, connectionId: id }, 'storing the state of a number failed')
    }
  }
