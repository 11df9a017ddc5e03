import { type Static, Type } from 'typebox'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** A simulated customer with a phone. */
export const SandboxCustomer = Type.Object({
  waId: Type.String(),
  displayPhone: Type.String({ description: 'International format; empty when it cannot be parsed.' }),
  bsuid: Type.String(),
  name: Type.String(),
  username: Nullable(Type.String()),
  online: Type.Boolean(),
  blocked: Type.Boolean({ description: 'The customer blocked the number.' }),
  blockedByUs: Type.Boolean(),
  reads: Type.Boolean(),
  typingShown: Type.Boolean(),
  withAgent: Type.Boolean({ description: "Meta's own agent is in control of the chat." }),
  windowClosesAt: Nullable(Timestamp),
  /** The last message on this phone. */
  last: Nullable(Type.Object({ text: Type.String(), type: Type.String(), mine: Type.Boolean(), at: Timestamp })),
})
export type SandboxCustomer = Static<typeof SandboxCustomer>

/** A button or row in a message of the business. `link` and `other` send no answer. */
export const PhoneChoice = Type.Object({
  kind: Type.Enum(['button', 'list', 'quickReply', 'link', 'other']),
  id: Type.String(),
  title: Type.String(),
  description: Type.Optional(Type.String()),
})
export type PhoneChoice = Static<typeof PhoneChoice>

const PhoneMedia = Type.Object({
  id: Nullable(Type.String({ description: 'Null for a link, which the simulator does not fetch.' })),
  name: Nullable(Type.String()),
})

/** A message as the customer's phone shows it, with later effects. */
export const PhoneMessage = Type.Object({
  seq: Type.Integer(),
  wamid: Type.String(),
  mine: Type.Boolean({ description: 'The customer wrote it.' }),
  type: Type.String({
    description:
      "Meta's message type; `choice` for a tapped option, `form` for a filled form, `voice` for a recording.",
  }),
  text: Type.String(),
  at: Timestamp,
  status: Type.String({
    description: 'Messages of the customer: `received`, `read`; of the business: `delivered`, `read`, `played`.',
  }),
  header: Type.Optional(Type.String()),
  footer: Type.Optional(Type.String()),
  media: Type.Optional(PhoneMedia),
  location: Type.Optional(
    Type.Object({
      latitude: Type.Number(),
      longitude: Type.Number(),
      name: Type.Optional(Type.String()),
      address: Type.Optional(Type.String()),
    }),
  ),
  contacts: Type.Optional(Type.Array(Type.Object({ name: Type.String(), phone: Type.String() }))),
  choices: Type.Optional(Type.Array(PhoneChoice)),
  cards: Type.Optional(
    Type.Array(
      Type.Object({
        text: Type.String(),
        media: Type.Optional(PhoneMedia),
        choices: Type.Array(PhoneChoice),
      }),
      { description: 'Cards of a carousel.' },
    ),
  ),
  /** Label of the button that opens a list. */
  listTitle: Type.Optional(Type.String()),
  replyTo: Type.Optional(
    Type.Object({ wamid: Type.String(), text: Type.String(), type: Type.String(), mine: Type.Boolean() }),
  ),
  forwarded: Type.Optional(Type.Boolean()),
  edited: Type.Optional(Type.Boolean()),
  revoked: Type.Optional(Type.Boolean()),
  reactions: Type.Optional(Type.Array(Type.Object({ emoji: Type.String(), mine: Type.Boolean() }))),
})
export type PhoneMessage = Static<typeof PhoneMessage>

export const SandboxThread = Type.Object({
  customer: SandboxCustomer,
  items: Type.Array(PhoneMessage),
  /** Cursor of the previous page; null: this is the first message. */
  before: Nullable(Type.Integer()),
})
export type SandboxThread = Static<typeof SandboxThread>
