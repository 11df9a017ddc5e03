import type { Log } from '#server/platform/log/log.ts'
import { blocksAccount } from '#server/whatsapp/code-meanings.ts'
import type { WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { Answer } from './sender.ts'

/** One of an organization's numbers, as calls go through it. */
export interface OutboxClient {
  number: WhatsAppNumber
  connection: { id: string; status: string; statusReason: string | null }
}

export interface OutboxNumbers {
  clientOf(orgId: string, connectionId?: string): Promise<OutboxClient | undefined>
  markReauthorise(orgId: string, connectionId: string, reason: string): Promise<void>
  markBlocked(orgId: string, connectionId: string, reason: string): Promise<void>
  markWorking(orgId: string, connectionId: string): Promise<void>
}

/** No number is connected, or it went while something waited for it. */
export const notConnected = 'NOT_CONNECTED'

/** What goes to many may have half of it under way: a thousand a second that are answered within half of one. */
export const callsPerNumber = 1280

/** What shares a number's pace. */
const ofNumber = 'number '
export const numberKey = (connectionId: string): string => `${ofNumber}${connectionId}`
/** Whose pace it is. */
export const connectionOf = (paceKey: string): string => paceKey.slice(ofNumber.length)

/** Stores what an answer says about the number itself; a failure to do so is logged, and the answer stands. */
export type ReportHealth = (orgId: string, connection: OutboxClient['connection'], answer: Answer) => Promise<void>

export const createHealthReport =
  ({ numbers, log }: { numbers: OutboxNumbers; log: Log }): ReportHealth =>
  async (orgId, { id, status }, { accepted, error }) => {
    try {
      if (error?.retry === 'credentials') await numbers.markReauthorise(orgId, id, error.code)
      else if (error && blocksAccount(error.code)) await numbers.markBlocked(orgId, id, error.code)
      else if (accepted && status === 'blocked') await numbers.markWorking(orgId, id)
    } catch (error) {
      log.error({ err: error, orgId, connectionId: id }, 'the state of a number could not be stored')
    }
  }
