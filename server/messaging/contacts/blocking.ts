import { Type } from 'typebox'
import { emitChanged } from '#server/messaging/conversations/changes/emit-changed.ts'
import { archive } from '#server/messaging/conversations/changes/flags.ts'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import { findRows } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import { findBlock, saveBlock } from '#server/messaging/directory/blocking-store.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { longestGapMs, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { WhatsAppError, type WhatsAppNumber } from '#server/whatsapp/provider.ts'
import type { contactsApi } from '#shared/contacts/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'

interface BlockingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly jobs: Pick<Jobs, 'register'>
  readonly writes: Pick<Writes, 'run'>
  readonly numbers: {
    findClient(orgId: string, connectionId: string): Promise<{ number: WhatsAppNumber } | undefined>
  }
}

/**
 * Blocks customers: here at once, whatever WhatsApp answers, and at WhatsApp on each number that they wrote to within a
 * day. WhatsApp allows no other blocks.
 */
export function createBlocking({
  databases,
  clock,
  log,
  jobs,
  writes,
  numbers,
}: BlockingParts): Pick<ServiceOf<typeof contactsApi, OrgCaller>, 'blockContact' | 'unblockContact'> {
  /** Sends WhatsApp the current state, so repeating it later does no harm. */
  const sendToWhatsApp = async (orgId: string, conversationId: string, signal: AbortSignal): Promise<Outcome> => {
    const [row] = await findRows.byId(databases.read, [conversationId], { orgId })
    if (!row) return { kind: 'done' }
    const isBlocked = row.blocked_at !== null
    if (isBlocked && (row.window_closes_at ?? '') <= isoNow(clock)) return { kind: 'done' }
    const client = await numbers.findClient(orgId, row.connection_id)
    if (!client) return { kind: 'done' }
    try {
      await client.number.setBlocked({ waId: row.wa_id, bsuid: row.bsuid }, isBlocked, signal)
    } catch (error) {
      if (signal.aborted) return { kind: 'released' }
      if (!(error instanceof WhatsAppError)) throw error
      log.warn({ orgId, code: error.code, isBlocked }, 'blocking or unblocking a contact at WhatsApp failed')
      if (error.retry !== 'never' && error.retry !== 'credentials') return { kind: 'retry', reason: error.code }
    }
    return { kind: 'done' }
  }

  const queue = jobs.register({
    name: 'contact.block',
    looksWithinMs: longestGapMs,
    payload: Type.Object({ conversationId: Type.String() }),
    atOnce: 2,
    isKept: false,
    run: ({ orgId, payload }, { signal }) => sendToWhatsApp(orgId, payload.conversationId, signal),
  })

  const set = async (
    write: OrgWrite,
    { contactId, conversationId }: { contactId: string; conversationId: string },
    block: { at: string; by: string } | null,
  ) => {
    const { db, orgId, emit, afterCommit } = write
    if (((await findBlock(db, orgId, contactId)) !== null) === (block !== null)) return
    await saveBlock(db, orgId, contactId, block)
    const rows = await findRows.byContact(db, [contactId], { orgId })
    const asked = rows.find(({ id }) => id === conversationId)
    if (asked)
      emit({
        type: block ? 'contact.blocked' : 'contact.unblocked',
        data: { ...conversationRef(asked), by: write.by },
      })
    // The conversation stays readable in the archive. A running flow ends.
    if (block) await archive(write, rows, true)
    if (!block) await emitChanged(write, rows)
    await queue.add(
      db,
      orgId,
      rows.map(({ id }) => ({ payload: { conversationId: id }, orderKey: id })),
    )
    afterCommit(queue.wake)
  }

  const change = (caller: OrgCaller, phone: string, isBlocked: boolean) =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const row = await requireChat(write.db, caller, phone)
      const of = { contactId: row.contact_id, conversationId: row.id }
      await set(write, of, isBlocked ? { at: isoNow(clock), by: write.by.name ?? '' } : null)
      return { success: true }
    })

  return {
    blockContact: (caller, { params }) => change(caller, params.phone, true),
    unblockContact: (caller, { params }) => change(caller, params.phone, false),
  }
}
