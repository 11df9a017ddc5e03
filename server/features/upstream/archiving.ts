import { AppError } from '#server/platform/http/errors.ts'
import type { Services } from '#server/platform/wiring/feature.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { inboxCalls } from './calls.ts'
import type { UpstreamClient } from './client.ts'
import type { UpstreamCaller } from './token.ts'

/** Fewer than an organization may have under way, so that its other calls are answered meanwhile. */
const archivedAtOnce = 8

interface ArchivingParts {
  readonly client: Pick<UpstreamClient, 'ask'>
  readonly own: Services
  /** Undefined: there is no such conversation for the caller. */
  ownRowOf(caller: UpstreamCaller, id: string): Promise<Conversation | undefined>
}

type ChangeChats = Services['inbox']['changeChats']

/**
 * Changes many chats at once. An upstream archives one by one, and some may fail: those stay as they are, and the answer
 * names them. @throws what the first one failed with, if all of them did
 */
export const createManyChanges =
  ({ client, own, ownRowOf }: ArchivingParts) =>
  async (caller: UpstreamCaller, { body }: { body: Parameters<ChangeChats>[1]['body'] }): Promise<unknown> => {
    const { archived } = body
    if (archived === undefined) return own.inbox.changeChats(caller, { body })
    const failures = new Map<string, AppError>()
    const archive = async (id: string): Promise<void> => {
      const row = await ownRowOf(caller, id)
      if (!row || row.archived === archived) return
      try {
        await client.ask(inboxCalls.archive, caller, { body: { phoneNumber: row.phone, archived } })
      } catch (error) {
        if (!(error instanceof AppError)) throw error
        failures.set(id, error)
      }
    }
    const waiting = new Set(body.ids)
    const work = async () => {
      for (const id of waiting) {
        waiting.delete(id)
        await archive(id)
      }
    }
    await Promise.all(Array.from({ length: archivedAtOnce }, work))
    const ids = body.ids.filter(id => !failures.has(id))
    const [first] = failures.values()
    if (first && !ids.length) throw first
    const changed = await own.inbox.changeChats(caller, { body: { ...body, ids } })
    return failures.size ? { ...changed, failed: [...failures.keys()] } : changed
  }
