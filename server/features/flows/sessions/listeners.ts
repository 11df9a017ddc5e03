import { type Control, isHeldFromFlows } from '#server/messaging/events.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { EventOf } from '#server/platform/events/domain.ts'
import type { Deriving, TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { isoNow } from '#server/platform/time/clock.ts'
import { chooseFlow, noKeywords } from '#shared/flows/triggers/triggers.ts'
import type { LiveFlows } from '../live-flows.ts'
import type { FlowServiceParts } from '../service-parts.ts'
import type { Engine, EngineParts } from './engine.ts'
import type { FlowJobs } from './jobs.ts'
import { findLastId, findLive, listMessageIds, moveSessions, type StoredSession, saveSession } from './session-store.ts'

interface ListenerParts extends Pick<EngineParts, 'clock' | 'inbox'>, Pick<FlowServiceParts, 'isOpen' | 'listTagIds'> {
  readonly liveFlows: LiveFlows
  readonly engine: Pick<Engine, 'close'>
  readonly addBegin: FlowJobs['addBegin']
}

type ControlChange = EventOf<'conversation.controlChanged'>
type Tagged = EventOf<'contact.tagged' | 'contact.untagged'>

/** More messages than a session can queue in one advance. */
const maxCancelledMessages = 50
/** A flow's message older than this has been sent, or never will be. */
const burstLeavesMs = 60 * 60 * 1000

/** Listeners that begin, move and end sessions when conversations and contacts change. They run in this order. */
export function createFlowListeners({ clock, inbox, liveFlows, engine, addBegin, isOpen, listTagIds }: ListenerParts) {
  const readControl = async (db: Db, orgId: string, conversationId: string): Promise<Control | undefined> =>
    (await inbox.read(db, orgId, [conversationId])).get(conversationId)?.control

  /** Cancels the session's unsent messages. */
  const cancelUnsent = async (write: OrgWrite, sessionId: string): Promise<void> => {
    const waiting = await listMessageIds(write.db, write.orgId, sessionId, maxCancelledMessages)
    if (waiting.length) await inbox.cancelQueued(write, waiting)
  }

  /** Ends the session at once and cancels its unsent messages. */
  const endSession = async (
    write: OrgWrite,
    session: StoredSession,
    state: 'stopped' | 'taken' | 'handedOff',
    reason: string | null = null,
  ): Promise<void> => {
    await engine.close(write, session, { state, reason })
    await cancelUnsent(write, session.id)
  }

  /** A conversation taken from its flow ends the session. */
  const takeovers: TransactionListener<'conversation.controlChanged'> = {
    name: 'flows of conversations that change hands',
    on: ['conversation.controlChanged'],
    after: ['taps on buttons that do something', 'activity lines', "chats taken from Meta's agent"],
    async handle(write, events) {
      const changes = events.filter(({ data }: ControlChange) => data.from === 'bot' && data.to !== 'bot')
      const sessions = await findLive(
        write.db,
        write.orgId,
        changes.map(({ data }) => data.contactId),
      )
      for (const session of sessions) {
        const change = changes.findLast(({ data }) => data.conversationId === session.conversationId)
        if (!change) continue
        const { to, by, passed = 'optWord' } = change.data
        // Nobody took it: the customer wrote something that no flow reads.
        if (by.kind === 'customer') await endSession(write, session, 'handedOff', passed)
        else await endSession(write, session, to === 'none' ? 'stopped' : 'taken')
      }
      // A finished flow may still have unsent messages.
      const since = new Date(clock.now().getTime() - burstLeavesMs).toISOString()
      for (const { data } of events) {
        if (data.from !== 'none' || data.to !== 'human' || (data.by.kind !== 'person' && data.by.kind !== 'key'))
          continue
        const last = await findLastId(write.db, write.orgId, data.contactId, since)
        if (last !== undefined) await cancelUnsent(write, last)
      }
    },
  }

  /** After a merge of two contacts one session remains: the survivor's, or else the other's, which moves. */
  const merges: TransactionListener<'contact.merged'> = {
    name: 'flows of contacts that become one',
    on: ['contact.merged'],
    async handle(write, events) {
      const { db, orgId } = write
      for (const { data } of events) {
        const { contactId, mergedContactId, conversationId, mergedConversationId } = data
        const live = await findLive(db, orgId, [contactId, mergedContactId])
        const moving = live.find(session => session.contactId === mergedContactId)
        if (moving && live.length > 1) await engine.close(write, moving, { state: 'stopped', reason: null })
        else if (moving) {
          const stays = moving.conversationId !== mergedConversationId
          const moved = { ...moving, contactId, conversationId: stays ? moving.conversationId : conversationId }
          await saveSession(db, orgId, moved)
          if (isHeldFromFlows(await readControl(db, orgId, moved.conversationId)))
            await endSession(write, moved, 'taken')
        }
        await moveSessions(db, orgId, mergedContactId, contactId)
      }
    },
  }

  /** After a separation a session stays with its thread, and ends if no flow has that conversation. */
  const separations: TransactionListener<'contact.parted'> = {
    name: 'flows of contacts that are two again',
    on: ['contact.parted'],
    async handle(write, events) {
      const { db, orgId } = write
      const owners = new Map(events.map(({ data }) => [data.conversationId, data.contactId]))
      for (const session of await findLive(db, orgId, [...new Set(owners.values())])) {
        const contactId = owners.get(session.conversationId) ?? session.contactId
        if (contactId !== session.contactId) await saveSession(db, orgId, { ...session, contactId })
        const control = await readControl(db, orgId, session.conversationId)
        if (control !== 'bot') await endSession(write, { ...session, contactId }, 'stopped')
      }
    },
  }

  const beginByTag = async (write: Deriving, { type, data }: Tagged): Promise<void> => {
    const { db, orgId } = write
    const kind = type === 'contact.tagged' ? 'tagAdded' : 'tagRemoved'
    const live = await liveFlows.list(db, orgId)
    if (!live.some(({ triggers }) => triggers.some(trigger => trigger.kind === kind))) return
    const { contactId, conversationId } = data
    const occasion = {
      what: { kind, tagId: data.tagId },
      isOpen: await isOpen(orgId, isoNow(clock), db),
      isFirst: false,
      wasArchived: false,
      silentHours: null,
      tagIds: (await listTagIds(db, orgId, [contactId])).get(contactId) ?? [],
      flowsBefore: [],
    } as const
    const chosen = chooseFlow(liveFlows.rankedOf(orgId, live), occasion, noKeywords)
    if (chosen) await addBegin(write, { ...chosen, conversationId, contactId })
  }

  const tagging: TransactionListener<'contact.tagged' | 'contact.untagged'> = {
    name: 'flows that begin with a tag',
    on: ['contact.tagged', 'contact.untagged'],
    after: ['taps on buttons that do something'],
    async handle(write, events) {
      // A tag added by a flow starts no other flow: two could trigger each other endlessly.
      if (write.by.kind === 'system') return
      for (const event of events) await beginByTag(write, event)
    },
  }

  return [takeovers, merges, separations, tagging] as const
}
