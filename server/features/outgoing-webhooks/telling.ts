import {
  type ConversationFacts,
  customerFacts,
  factsOfShown,
  readConversationFacts,
} from '#server/messaging/conversations/shown/facts.ts'
import { listOwnNumbers } from '#server/messaging/sending/to-many.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import { everyOther } from '#server/platform/events/listener-order.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { ChosenType } from '#shared/outgoing-webhooks/api.ts'
import type { FanOut, NewEvent } from './fan-out.ts'
import { typesByEvent, webhookKind } from './kinds/all.ts'
import type { Facets } from './kinds/kind.ts'
import type { Listening, ListeningWebhooks } from './listening.ts'

interface TellingParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly listening: Pick<ListeningWebhooks, 'of'>
  readonly fanOut: FanOut
}

/** The fields of domain events of conversations that are read here. */
interface Named {
  readonly conversationId?: string | null
  readonly contactId?: string
  readonly number?: string
  readonly name?: string
  readonly conversation?: Conversation
}

type About = Omit<ConversationFacts, 'conversationId'> & { readonly conversationId: string | null }

/** The facts of a contact without a conversation. */
const aboutContact = ({ contactId = '', number = '', name = '' }: Named): About => ({
  number: null,
  customer: customerFacts(contactId, number, name),
  conversationId: null,
  tagIds: [],
})

/** Reads the subject of each event. Conversations that come with their event are not read. */
const readAbouts = async (
  { db, orgId }: Pick<OrgWrite, 'db' | 'orgId'>,
  named: readonly Named[],
): Promise<(one: Named) => About> => {
  const others = new Set(named.flatMap(one => (one.conversation ? [] : (one.conversationId ?? []))))
  const read = await readConversationFacts(db, orgId, [...others])
  const isPhoneNeeded = named.some(one => one.conversation && one.conversation.number === undefined)
  const phone = isPhoneNeeded ? ((await listOwnNumbers(db, orgId))[0]?.phone ?? null) : null
  return one => {
    const { contactId = '', number = '', conversation } = one
    if (conversation) return factsOfShown({ contactId, number }, conversation, phone)
    return read.get(one.conversationId ?? '') ?? aboutContact(one)
  }
}

/** True if a webhook's filter lets the event pass. */
const passes = (
  { filter }: Listening,
  type: ChosenType,
  { direction, isFinal }: Facets,
  about: Pick<About, 'number' | 'tagIds'> | undefined,
): boolean => {
  const { numbers, tags, finalStatusOnly } = filter
  if (filter.direction && direction && filter.direction !== direction) return false
  if (finalStatusOnly && type === 'message.status' && !isFinal) return false
  if (!about) return true
  if (numbers && (about.number === null || !numbers.includes(about.number))) return false
  return !tags || tags.some(tag => about.tagIds.includes(tag))
}

interface Made {
  readonly type: ChosenType
  readonly data: object
  readonly facets: Facets
  readonly subject: string | undefined
  /** Undefined: it is about the organization. */
  readonly named: Named | undefined
}

const makeAll = (events: readonly DomainEvent[], wanted: ReadonlySet<string>): Made[] =>
  events.flatMap(event =>
    (typesByEvent.get(event.type) ?? []).flatMap(type => {
      if (!wanted.has(type)) return []
      const kind = webhookKind(type)
      const made = kind.make(event.data)
      if (!made) return []
      const { data, facets = {}, subject } = made
      return [{ type, data, facets, subject, named: kind.about === 'conversation' ? (event.data as Named) : undefined }]
    }),
  )

/**
 * Queues the events of webhooks, in the transaction of the change: one job for all events, each with the names of its
 * webhooks. The job stores them and their deliveries, so that the change does not pay for each program.
 */
export function createTelling({ clock, ids, listening, fanOut }: TellingParts): TransactionListener {
  return {
    name: 'outgoing webhooks',
    on: [...typesByEvent.keys()],
    after: [everyOther],
    async handle(write, events) {
      const { db, orgId } = write
      const webhooks = await listening.of(db, orgId)
      if (!webhooks.length) return
      const wanted = new Set<string>(webhooks.flatMap(webhook => [...webhook.events]))
      const made = makeAll(events, wanted)
      if (!made.length) return
      const aboutOf = await readAbouts(
        write,
        made.flatMap(({ named }) => named ?? []),
      )
      const timestamp = isoNow(clock)
      const stored = made.flatMap(({ type, data, facets, subject, named }): NewEvent[] => {
        const about = named && aboutOf(named)
        const names = webhooks.flatMap(webhook =>
          webhook.events.has(type) && passes(webhook, type, facets, about) ? [webhook.name] : [],
        )
        if (!names.length) return []
        const { tagIds: _, ...fields } = about ?? { tagIds: [] }
        const body = JSON.stringify({ type, timestamp, data: { organization: orgId, ...fields, ...data } })
        const line = about ? (about.conversationId ?? about.customer.id) : (subject ?? null)
        return [{ id: ids(clock.now().getTime()), type, body, line, webhooks: names }]
      })
      if (stored.length) await fanOut.add(write, stored)
    },
  }
}
