import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, pageOf, Timestamp } from '#shared/kernel/list.ts'
import type { LiveEventName } from './api.ts'

/** Stored events. The stream's own (`resync`, `goodbye`) are not stored. */
const storedEventTypes = [
  'message',
  'status',
  'messageChanged',
  'internal',
  'conversation',
  'human',
  'human.claimed',
  'notify',
  'connection',
  'visibility',
  'bulkSend',
  'template',
  'flow',
  'tags',
  'contentAccess',
] as const satisfies readonly Exclude<LiveEventName, 'resync' | 'goodbye'>[]

/**
 * Sent to open tabs only: presence and typing are outdated a moment later, so they are deleted within minutes and are
 * on no page of the log. A reader that reconnects later gets `resync`.
 */
export const passingEventTypes = ['presence', 'draft', 'flowPresence'] as const satisfies readonly LiveEventName[]

export const LogActor = Type.Enum(['person', 'key', 'bot', 'contact', 'whatsapp', 'system'])
export type LogActor = Static<typeof LogActor>

/** An event of the log. `id` is the number the stream sends. */
export const LogEvent = Type.Object({
  id: Type.Integer(),
  type: Type.String(),
  at: Timestamp,
  actor: LogActor,
  actorName: Nullable(
    Type.String({
      description: 'Of the person, API key or flow, at that time; null where the event names them or nobody did it.',
    }),
  ),
  number: Nullable(Type.String({ description: 'The customer the event is about: digits, country code first.' })),
  data: Type.Unsafe<unknown>({ description: 'As in `data` of the stream.' }),
})
export type LogEvent = Static<typeof LogEvent>
const LogPage = pageOf(LogEvent)

export const eventsPerPage = 50
/** The last page. For older events, narrow with `from`, `to` or `before`. */
const maxEventPages = 200

const EventNumber = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
/** A time with zone, such as `2026-11-20T13:05:00Z`. */
const Moment = Type.String({
  maxLength: 35,
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}(:\\d{2}(\\.\\d{1,9})?)?(Z|[+-]\\d{2}:\\d{2})$',
  description: 'ISO 8601 with zone, e.g. 2026-11-20T13:05:00Z',
})

const LogQuery = Type.Object(
  {
    page: Type.Integer({ minimum: 1, maximum: maxEventPages, default: 1 }),
    since: Type.Optional(Type.Integer({ ...EventNumber, description: 'Only newer than this id.' })),
    before: Type.Optional(Type.Integer({ ...EventNumber, description: 'Only older than this id.' })),
    type: Type.Optional(Type.Enum(storedEventTypes)),
    number: Type.Optional(
      Type.String({ pattern: '^(\\+?[0-9]{6,15}|[A-Z]{2}\\.(ENT\\.)?[A-Za-z0-9]{1,128})$', maxLength: 140 }),
    ),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  },
  { additionalProperties: false },
)

export const liveApi = {
  /** Read it before a page's data: a stream that starts here misses nothing. */
  place: endpoint({
    method: 'GET',
    path: '/whatsapp/events/place',
    access: 'chat:read',
    reply: Type.Object({ id: Type.Integer({ description: 'The newest event; 0 before the first.' }) }),
    summary: 'The present position of the stream of events.',
  }),
  events: endpoint({
    method: 'GET',
    path: '/whatsapp/events',
    access: 'chat:read',
    query: LogQuery,
    reply: LogPage,
    summary: 'The events of the organization in the last 90 days, newest first.',
  }),
} as const

/** The stream. Its route is registered separately, because its answer does not end. */
export const liveStream = endpoint({
  method: 'GET',
  path: '/sse',
  access: 'chat:read',
  query: Type.Object(
    {
      organization: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 80,
          description: 'Id or slug, for clients that cannot send `x-organization`.',
        }),
      ),
      since: Type.Optional(
        Type.Integer({
          ...EventNumber,
          description: 'Replay what came after this id; the header `last-event-id` says the same and wins.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
  reply: Type.String({ description: 'text/event-stream; each message is `{"event": …, "data": …}` with an `id:`.' }),
  summary: 'Live events of the organization as a stream. With `last-event-id`, missed events come first.',
})
