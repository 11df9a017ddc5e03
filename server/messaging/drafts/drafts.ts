import type { Static } from 'typebox'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import type { ListRow } from '#server/messaging/conversations/rows/list-row-store.ts'
import { conversationRef } from '#server/messaging/conversations/shown/present.ts'
import { findNames } from '#server/messaging/people/names-store.ts'
import { findStay } from '#server/messaging/people/presence-store.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import {
  type ChatDraft,
  type DraftQuote,
  draftLimits,
  draftMaxChars,
  draftQuoteChars,
  type draftsApi,
} from '#shared/inbox/drafts.ts'
import type { Author, Message } from '#shared/inbox/messages.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { draftErrors } from './errors.ts'
import {
  deleteDraftsBefore,
  deleteDraftsOf,
  findDraft,
  findQuotesOf,
  hasAsMany,
  listDrafts,
  listOthersDrafts,
  listOwnDrafts,
  type QuotedRow,
  saveDraft,
  takeDraft,
} from './store.ts'

interface DraftParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
}

interface Drafts {
  readonly service: ServiceOf<typeof draftsApi, OrgCaller>
  /** Deletes drafts that were not changed for the retention time. Returns how many. */
  prune(now: Date): Promise<number>
}

const prunedAtOnce = 500
const dayMs = 24 * 60 * 60 * 1000

/** The address of a row's chat. */
const phoneOf = (row: Parameters<typeof conversationRef>[0]) => {
  const { number, address = number } = conversationRef(row)
  return address
}

const quoteOf = ({ id, wamid, direction, type, text, author_kind, author_name }: QuotedRow): DraftQuote => ({
  id,
  wamid,
  direction: direction as Message['direction'],
  type: type as Message['type'],
  text: text.slice(0, draftQuoteChars).toWellFormed(),
  ...(author_kind === null
    ? {}
    : { author: { kind: author_kind as Static<typeof Author>['kind'], name: author_name } }),
})

/** The quotes of these drafts, by message id. */
const quoted = (rows: ReadonlyMap<string, QuotedRow>, replyTo: string | null): { replyTo?: DraftQuote } => {
  const row = replyTo === null ? undefined : rows.get(replyTo)
  return row ? { replyTo: quoteOf(row) } : {}
}

/** Unsent texts. One row per person and chat, so two people who write to one customer keep their own. */
export function createDrafts({ databases, clock, writes }: DraftParts): Drafts {
  /** @throws DRAFTS_TOO_MANY */
  const keep = async (
    { db, orgId }: OrgWrite,
    { id: conversationId }: ListRow,
    { userId: personId, name }: { userId: string; name: string },
    { text, replyTo }: { text: string; replyTo: string | null },
  ) => {
    const isNew = !(await findDraft(db, orgId, { conversationId, personId }))
    if (isNew && (await hasAsMany(db, orgId, { personId, count: draftLimits.ofPerson })))
      throw draftErrors.TOO_MANY({ params: { limit: draftLimits.ofPerson } })
    const row = { conversation_id: conversationId, person_id: personId, name, text, reply_to: replyTo }
    await saveDraft(db, orgId, { ...row, saved_at: isoNow(clock) })
  }

  /** @throws DRAFTS_BEING_WRITTEN */
  const requireNotWriting = async (
    { db, orgId }: OrgWrite,
    { id: conversationId }: ListRow,
    { id, name }: { id: string; name: string },
  ) => {
    const stay = await findStay(db, orgId, conversationId, id)
    if ((stay?.writesUntil ?? '') > isoNow(clock)) throw draftErrors.BEING_WRITTEN({ params: { name } })
  }

  /** The person whose drafts a caller writes. For a key, the member who made it. */
  const personOf = async (db: Db, caller: OrgCaller): Promise<{ id: string; name: string }> => {
    if (caller.kind === 'person') return { id: caller.userId, name: caller.name }
    const { creatorId: id, orgId } = caller
    const { people } = await findNames(db, orgId, { personIds: [id], teamIds: [] })
    return { id, name: people.get(id) ?? caller.name }
  }

  return {
    service: {
      async listDrafts({ userId, ...viewer }) {
        const db = databases.read
        const own = await listOwnDrafts(db, viewer, userId, draftLimits.ofPerson)
        const others = await listOthersDrafts(db, viewer, userId, draftLimits.ofColleagues)
        const answered = own.map(row => ({ conversationId: row.id, replyTo: row.reply_to }))
        const quotes = await findQuotesOf(db, viewer.orgId, answered)
        return {
          own: own.map(row => ({ phone: phoneOf(row), text: row.text, ...quoted(quotes, row.reply_to) })),
          others: others.map(row => ({ phone: phoneOf(row), person: { id: row.person_id, name: row.person_name } })),
        }
      },

      async listChatDrafts(caller, { params }) {
        const { id: conversationId } = await requireChat(databases.read, caller, params.phone)
        const rows = await listDrafts(databases.read, caller.orgId, { conversationId, limit: draftLimits.ofChat })
        const answered = rows.map(row => ({ conversationId, replyTo: row.reply_to }))
        const quotes = await findQuotesOf(databases.read, caller.orgId, answered)
        const items: ChatDraft[] = rows.map(({ person_id: id, name, text, reply_to, saved_at: at }) => ({
          person: { id, name },
          text,
          ...quoted(quotes, reply_to),
          at,
          own: id === caller.userId,
        }))
        return { items }
      },

      saveDraft: (caller, { params, body: { text, replyToMessageId: replyTo = null, device } }) =>
        writes.run(caller.orgId, actorOf(caller), async write => {
          const chat = await requireChat(write.db, caller, params.phone)
          // An administrator who impersonates a member leaves no drafts in their name.
          if (caller.impersonatedBy) return { success: true }
          const { userId: id, name } = caller
          const isGone = !text.trim()
          if (!isGone) await keep(write, chat, caller, { text, replyTo })
          else if (!(await takeDraft(write.db, write.orgId, { conversationId: chat.id, personId: id })))
            return { success: true }
          const data = {
            ...conversationRef(chat),
            person: { id, name },
            isGone,
            ...(device === undefined ? {} : { device }),
          }
          write.emit({ type: 'draft.changed', data })
          return { success: true }
        }),

      proposeDraft: (caller, { params, body }) =>
        writes.run(caller.orgId, actorOf(caller), async write => {
          const { db, orgId, emit } = write
          const chat = await requireChat(db, caller, params.phone)
          const person = await personOf(db, caller)
          await requireNotWriting(write, chat, person)
          const own = await findDraft(db, orgId, { conversationId: chat.id, personId: person.id })
          const text = own ? `${own.text}\n${body.text}` : body.text
          if (text.length > draftMaxChars) throw draftErrors.TOO_LONG({ params: { limit: draftMaxChars } })
          // An administrator who impersonates a member leaves no drafts in their name.
          if (caller.kind === 'person' && caller.impersonatedBy) return { person, text }
          await keep(write, chat, { userId: person.id, name: person.name }, { text, replyTo: own?.reply_to ?? null })
          emit({ type: 'draft.changed', data: { ...conversationRef(chat), person, isGone: false } })
          return { person, text }
        }),

      takeDraft: (caller, { params, body: { personId } }) =>
        writes.run(caller.orgId, actorOf(caller), async write => {
          const { db, orgId, emit } = write
          const chat = await requireChat(db, caller, params.phone)
          const taken =
            personId === caller.userId ? undefined : await takeDraft(db, orgId, { conversationId: chat.id, personId })
          if (!taken) throw draftErrors.NOT_FOUND()
          await requireNotWriting(write, chat, { id: personId, name: taken.name })
          const own = await findDraft(db, orgId, { conversationId: chat.id, personId: caller.userId })
          const text = own ? `${own.text}\n${taken.text}` : taken.text
          if (text.length > draftMaxChars) throw draftErrors.TOO_LONG({ params: { limit: draftMaxChars } })
          const answered = [own?.reply_to ?? null, taken.reply_to]
          const quotes = await findQuotesOf(
            db,
            orgId,
            answered.map(replyTo => ({ conversationId: chat.id, replyTo })),
          )
          const replyTo = answered.find(id => id !== null && quotes.has(id)) ?? null
          await keep(write, chat, caller, { text, replyTo })
          const by = { id: caller.userId, name: caller.name }
          const left = { person: { id: personId, name: taken.name }, isGone: true, takenBy: by }
          emit({ type: 'draft.changed', data: { ...conversationRef(chat), ...left } })
          emit({ type: 'draft.changed', data: { ...conversationRef(chat), person: by, isGone: false } })
          return { text, ...quoted(quotes, replyTo) }
        }),
    },

    prune: now => {
      const before = new Date(now.getTime() - draftLimits.days * dayMs).toISOString()
      return inBatches(prunedAtOnce, limit => inTransaction(databases, trx => deleteDraftsBefore(trx, before, limit)))
    },
  }
}

/** Deletes the drafts of members who leave. */
export const createDraftsOfLeavers = (): TransactionListener<'member.left'> => ({
  name: 'drafts of who left',
  on: ['member.left'],
  async handle({ db, orgId }, events) {
    for (const { data } of events) await deleteDraftsOf(db, orgId, data.userId)
  },
})
