import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { PeopleRoom } from './plan.ts'

/** Messages per second of one number, shared by its sends, unless an organization sets another rate. */
export const bulkPerSecond = 20
/** Meta's maximum for a number with raised throughput. */
export const maxPerSecond = 1000

const BulkPace = Type.Object({
  perSecond: Type.Integer({
    minimum: 1,
    maximum: maxPerSecond,
    description: `Messages a second that bulk sends hand over for one number; ${bulkPerSecond} by default. Meta accepts 80 a second from a usual number, including the answers of people and flows.`,
  }),
})

/** The rate, and the room left within Meta's limit. */
const BulkPaceReply = Type.Object({ ...BulkPace.properties, room: Nullable(PeopleRoom) })

/** The rate of bulk messages. */
export const bulkPaceApi = {
  getPace: endpoint({
    method: 'GET',
    path: '/whatsapp/bulk-pace',
    access: 'bulk:send',
    reply: BulkPaceReply,
    refuses: [409],
    summary: 'The pace of bulk sends in messages a second, and how many more people the messaging limit allows today.',
  }),
  setPace: endpoint({
    method: 'PUT',
    path: '/whatsapp/bulk-pace',
    access: 'org:update',
    body: Type.Object(BulkPace.properties, { additionalProperties: false }),
    reply: BulkPaceReply,
    refuses: [409],
    summary: 'Sets the pace of bulk sends in messages a second, also of those that are running.',
  }),
} as const
