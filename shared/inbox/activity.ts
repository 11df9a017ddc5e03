import { type Static, Type } from 'typebox'
import { Nullable } from '#shared/kernel/list.ts'

const activityKinds = [
  'assigned',
  'unassigned',
  'helped',
  'takenOver',
  'givenBack',
  'handedOver',
  'botStarted',
  'botEnded',
  'tagged',
  'untagged',
  'archived',
  'unarchived',
  'snoozed',
  'unsnoozed',
  'snoozeDue',
  'optedOut',
  'optedIn',
  'blocked',
  'unblocked',
  'merged',
  'parted',
  'imported',
] as const
export type ActivityKind = (typeof activityKinds)[number]
const actorKinds = ['person', 'key', 'bot', 'customer', 'phone', 'vendor', 'upstream', 'system'] as const
export const Named = Type.Object({ id: Type.String(), name: Nullable(Type.String()) })

/**
 * An act on a conversation or its contact, and who did it, with the names of that time. `assignee` or `team`: whom it
 * was assigned to or taken from; of `helped`, whom it stays assigned to; `tag`: the tag.
 */
export const Activity = Type.Object({
  kind: Type.Enum(activityKinds),
  by: Type.Object({
    kind: Type.Enum(actorKinds),
    id: Nullable(Type.String()),
    name: Nullable(Type.String()),
  }),
  assignee: Type.Optional(Named),
  byReply: Type.Optional(Type.Literal(true, { description: 'The first reply assigned it.' })),
  team: Type.Optional(Named),
  until: Type.Optional(Type.String({ description: 'Of `snoozed`: when it comes back, ISO 8601 in UTC.' })),
  ifNoAnswer: Type.Optional(Type.Literal(true, { description: 'Of `snoozed`: it waits for an answer.' })),
  tag: Type.Optional(Type.Object({ id: Type.String(), label: Type.String() })),
  source: Type.Optional(
    Type.Enum(['recado', 'chatwoot', 'whaticket'], {
      description: "Of `imported`: `recado`, an archive of Recado; absent: WhatsApp's own export.",
    }),
  ),
})
export type Activity = Static<typeof Activity>
