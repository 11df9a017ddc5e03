import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done } from '#shared/kernel/list.ts'
import { maxTagsOfContact, TagId } from '#shared/tags/api.ts'

export const maxSegments = 500
export const segmentLabelMaxChars = 60
export const maxSegmentDays = 3650

/** Contacts that meet all conditions. */
export const SegmentFilter = Type.Object(
  {
    tags: Type.Optional(
      Type.Object(
        { ids: Type.Array(TagId, { minItems: 1, maxItems: maxTagsOfContact }), match: Type.Enum(['any', 'all']) },
        { additionalProperties: false },
      ),
    ),
    optedOut: Type.Optional(Type.Boolean({ description: 'Whether they want no marketing.' })),
    wrote: Type.Optional(
      Type.Object(
        {
          when: Type.Enum(['within', 'before'], {
            description: 'They wrote within this many days, or they have written before but not within this many days.',
          }),
          days: Type.Integer({ minimum: 1, maximum: maxSegmentDays }),
        },
        { additionalProperties: false },
      ),
    ),
    field: Type.Optional(
      Type.Object(
        { id: Type.String({ minLength: 1, maxLength: 64 }), value: Type.String({ minLength: 1, maxLength: 500 }) },
        { additionalProperties: false, description: 'The exact value of a contact field.' },
      ),
    ),
    number: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'The id of our number with which they have a chat.' }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type SegmentFilter = Static<typeof SegmentFilter>

export const SegmentId = Type.String({ pattern: '^[0-9a-z]{24}$', description: 'Id of a segment.' })
export const Segment = Type.Object({ id: SegmentId, label: Type.String(), filter: SegmentFilter })
export type Segment = Static<typeof Segment>

/** A saved segment as part of an audience. */
export const OfSegment = Type.Object(
  { id: SegmentId },
  { additionalProperties: false, description: 'The contacts of a saved segment.' },
)

const access = 'bulk:send'

export const segmentsApi = {
  listSegments: endpoint({
    method: 'GET',
    path: '/whatsapp/segments',
    access,
    reply: Type.Object({ items: Type.Array(Segment) }),
    summary: 'The saved segments of contacts, oldest first.',
  }),
  createSegment: endpoint({
    method: 'POST',
    path: '/whatsapp/segments',
    access,
    body: Type.Object(
      {
        label: Type.String({ minLength: 1, maxLength: segmentLabelMaxChars, pattern: '\\S' }),
        filter: SegmentFilter,
      },
      { additionalProperties: false },
    ),
    reply: Segment,
    status: 201,
    idempotent: true,
    refuses: [409],
    summary: `Saves a filter of contacts as a segment; ${maxSegments} at most. Its contacts are determined each time it is used.`,
  }),
  deleteSegment: endpoint({
    method: 'DELETE',
    path: '/whatsapp/segments/:id',
    access,
    params: Type.Object({ id: SegmentId }, { additionalProperties: false }),
    reply: Done,
    refuses: [404],
    summary: 'Deletes a segment. Bulk sends made with it stay as they are.',
  }),
  countSegment: endpoint({
    method: 'POST',
    path: '/whatsapp/segments/count',
    access,
    body: Type.Object({ filter: SegmentFilter }, { additionalProperties: false }),
    reply: Type.Object({
      count: Type.Integer({ minimum: 0 }),
      isMore: Type.Boolean({ description: 'True: there are more, which were not counted.' }),
    }),
    summary: 'How many contacts a filter finds now. Nothing is saved.',
  }),
} as const
