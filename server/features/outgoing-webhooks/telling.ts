import { type ConversationFacts, readConversationFacts } from '#server/messaging/conversations/facts.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import { everyOther } from '#server/platform/events/listener-order.ts'
import type { TransactionListener } from '#server/platform/events/listeners.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ChosenType } from '#shared/outgoing-webhooks/api.ts'
import { insertEvents, type StoredEvent } from './event-store.ts'
import type { FanOut } from './fan-out.ts'
import { kindOf, typesByEvent } from './kinds/all.ts'
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
}

type About = Omit<ConversationFacts, 'conversationId'> & { readonly conversationId: string | null }

const isDigits = (text: string) => /^\d+$/.test(text)

/** Of a contact without a conversation. */
const aboutContact = ({ contactId = '', number = '', name = '' }: Named): About => ({
  number: null,
  customer: {
    id: contactId,
    phone: isDigits(number) ? number : null,
    userId: number === '' || isDigits(number) ? null : number,
    name,
  },
  conversationId: null,
  tagIds: [],
})

/** Whether a webhook's filter lets an event pass. */
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
      const kind = kindOf(type)
      const made = kind.make(event.data)
      if (!made) return []
      const { data, facets = {}, subject } = made
      return [{ type, data, facets, subject, named: kind.about === 'conversation' ? (event.data as Named) : undefined }]
    }),
  )

/**
 * Stores what webhooks are told of, in the transaction of the change: one row for each event, with the names of its
 * webhooks. Deliveries follow in a job, so that the change does not wait for them.
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
      const conversationIds = new Set(made.flatMap(({ named }) => named?.conversationId ?? []))
      const abouts = await readConversationFacts(db, orgId, [...conversationIds])
      const timestamp = isoNow(clock)
      const stored = made.flatMap(({ type, data, facets, subject, named }): StoredEvent[] => {
        const about = named && (abouts.get(named.conversationId ?? '') ?? aboutContact(named))
        const names = webhooks.flatMap(webhook =>
          webhook.events.has(type) && passes(webhook, type, facets, about) ? [webhook.name] : [],
        )
        if (!names.length) return []
        const { tagIds: _, ...fields } = about ?? { tagIds: [] }
        const body = JSON.stringify({ type, timestamp, data: { organization: orgId, ...fields, ...data } })
        const line = about ? (about.conversationId ?? about.customer.id) : (subject ?? null)
        return [{ id: ids(clock.now().getTime()), type, body, line, webhooks: names }]
      })
      if (!stored.length) return
      await insertEvents(db, orgId, stored, timestamp)
      await fanOut.add(
        write,
        stored.map(({ id }) => id),
      )
    },
  }
}
