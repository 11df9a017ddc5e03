import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable } from '#shared/kernel/list.ts'

/**
 * `turn`: one member after another; `leastBusy`: the member with the fewest open conversations; `off`: no automatic
 * assignment.
 */
export const assignmentWays = ['off', 'turn', 'leastBusy'] as const
/** Upper bound for a rule's limit of open conversations per member. */
export const assignmentMost = 500

const Way = Type.Enum(assignmentWays, {
  description:
    '`turn`: one member after another · `leastBusy`: the member with the fewest open conversations · `off`: nobody.',
})
const Most = Type.Integer({
  minimum: 1,
  maximum: assignmentMost,
  description: 'Members with this many open conversations get no more; null: no limit.',
})
const ToLast = Type.Boolean({ description: 'First to who answered the customer last, if they can have it.' })

export const AssignmentRule = Type.Object({ way: Way, most: Nullable(Most), toLast: ToLast })
export type AssignmentRule = Static<typeof AssignmentRule>
const RuleToSet = Type.Object(
  { way: Way, most: Type.Union([Most, Type.Null()]), toLast: ToLast },
  { additionalProperties: false },
)

const Rules = Type.Object({
  organization: AssignmentRule,
  teams: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      rule: Nullable(AssignmentRule),
    }),
    { description: 'Null: the organization’s rule, among the people of the team.' },
  ),
})
export type AssignmentRules = Static<typeof Rules>

/** Set by hand, or (`hours`) during the organization's hours. */
export const availabilityStates = ['hours', 'available', 'away'] as const
export type AvailabilityState = (typeof availabilityStates)[number]
const State = Type.Enum(availabilityStates, {
  description: 'By hand, or `hours`: whenever the organization attends.',
})

export const Availability = Type.Object({
  userId: Type.String(),
  state: State,
  isAvailable: Type.Boolean({ description: 'Now.' }),
})
export type Availability = Static<typeof Availability>

/** Automatic assignment and availability. */
export const assignmentApi = {
  getRules: endpoint({
    method: 'GET',
    path: '/whatsapp/assignment-rules',
    access: 'org:update',
    reply: Rules,
    summary: 'The rules of automatic assignment, of the organization and of each team.',
  }),
  setRule: endpoint({
    method: 'PUT',
    path: '/whatsapp/assignment-rules',
    access: 'org:update',
    body: Type.Object(
      {
        teamId: Type.Union([
          Type.String({ minLength: 1, maxLength: 64, description: 'Null: of the organization.' }),
          Type.Null(),
        ]),
        rule: Type.Union([RuleToSet, Type.Null()]),
      },
      { additionalProperties: false },
    ),
    reply: Rules,
    refuses: [404],
    summary:
      'Sets the rule of automatic assignment of the organization or of a team. Null: a team follows the organization; the organization assigns nobody.',
  }),
  listAvailability: endpoint({
    method: 'GET',
    path: '/whatsapp/availability',
    access: 'chat:read',
    reply: Type.Object({ items: Type.Array(Availability) }),
    summary: 'The members who may answer, and which of them are available now.',
  }),
  setAvailability: endpoint({
    method: 'PUT',
    path: '/whatsapp/availability',
    access: 'chat:reply',
    peopleOnly: true,
    body: Type.Object({ state: State }, { additionalProperties: false }),
    reply: Availability,
    summary:
      'Sets whether the caller is available. Conversations are not assigned automatically to members who are not.',
  }),
} as const
