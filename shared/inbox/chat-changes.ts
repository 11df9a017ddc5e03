import { type Static, Type } from 'typebox'
import { noteMaxChars } from '#shared/kernel/limits.ts'
import { SnoozeUntil } from './snooze.ts'

/** Prevents two members from taking the same conversation at once. */
const IfHeldBy = Type.Optional(
  Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
    description:
      'The assignee as the caller last saw it; null: nobody. If somebody else is assigned by now, the answer is 409 and nothing changes.',
  }),
)
/** The person and the team that a conversation is assigned to. */
export const Assignment = Type.Object(
  {
    ifHeldBy: IfHeldBy,
    userId: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description: 'Id of a member who may answer customers; null: nobody.',
      }),
    ),
    teamId: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description: 'Id of a team; null: none.',
      }),
    ),
    note: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: noteMaxChars,
        pattern: '\\S',
        description: 'An internal note in the chat, for the new assignee.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
)

/** `human` without `assigneeId`: the current assignee, otherwise the caller; with a key, unassigned. */
export const Owner = Type.Object(
  {
    owner: Type.Enum(['bot', 'human'], { description: '`bot`: a flow may continue, and the chat is unassigned.' }),
    ifHeldBy: IfHeldBy,
    assigneeId: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 64 }), Type.Null()], {
        description:
          'Only with `human`: a member who may answer customers; null: the assignee stays, and only the bot stops.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Conversations changed in one call. */
export const maxChatsAtOnce = 100
export const ChatsChange = Type.Object(
  {
    ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
      minItems: 1,
      maxItems: maxChatsAtOnce,
      description: 'Ids of conversations.',
    }),
    archived: Type.Optional(Type.Boolean({ description: 'False: brings them back, assigned as before.' })),
    read: Type.Optional(Type.Boolean({ description: 'False: marks them as unread.' })),
    snoozedUntil: Type.Optional(
      Type.Union([SnoozeUntil, Type.Null()], {
        description: 'Snoozes them until then, and none if one is archived; null: brings them back.',
      }),
    ),
    tagId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A tag to put on.' })),
    untagId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'A tag to take off.' })),
    ...Assignment.properties,
    control: Type.Optional(
      Type.Enum(['bot', 'needsHuman'], {
        description: 'Of those that become unassigned: a flow may continue, or they wait for a person again.',
      }),
    ),
  },
  { additionalProperties: false },
)
export type ChatsChange = Static<typeof ChatsChange>
