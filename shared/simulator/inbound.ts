import { type Static, Type } from 'typebox'
import { Timestamp } from '#shared/kernel/list.ts'

export const CustomerNumber = Type.String({
  pattern: '^\\+?[0-9 ()-]{6,24}$',
  description: "The simulated customer's number, in any format.",
})

/**
 * An action of a simulated customer. `type` selects the kind, the other fields are its parameters. It is sent as a
 * signed webhook in Meta's serialization to the same route as Meta's.
 */
export const SandboxInbound = Type.Object(
  {
    from: CustomerNumber,
    name: Type.Optional(Type.String({ maxLength: 120 })),
    username: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'With a username the number is hidden: webhooks contain a business-scoped id instead.',
      }),
    ),
    type: Type.Optional(Type.String({ maxLength: 40, default: 'text' })),
    text: Type.Optional(Type.String({ maxLength: 4096 })),
    caption: Type.Optional(Type.String({ maxLength: 1024 })),
    filename: Type.Optional(Type.String({ maxLength: 240 })),
    mime: Type.Optional(Type.String({ maxLength: 120 })),
    dataBase64: Type.Optional(
      Type.String({
        maxLength: 900_000,
        description: 'The file itself; default: a small sample file of that type.',
      }),
    ),
    voice: Type.Optional(Type.Boolean()),
    latitude: Type.Optional(Type.Number({ minimum: -90, maximum: 90 })),
    longitude: Type.Optional(Type.Number({ minimum: -180, maximum: 180 })),
    locationName: Type.Optional(Type.String({ maxLength: 200 })),
    address: Type.Optional(Type.String({ maxLength: 300 })),
    contactName: Type.Optional(Type.String({ maxLength: 200 })),
    contactPhone: Type.Optional(Type.String({ maxLength: 30 })),
    emoji: Type.Optional(Type.String({ maxLength: 32 })),
    targetWamid: Type.Optional(
      Type.String({ maxLength: 256, description: 'The message reacted to, edited or removed.' }),
    ),
    replyToWamid: Type.Optional(Type.String({ maxLength: 256 })),
    choiceId: Type.Optional(Type.String({ maxLength: 256 })),
    choiceTitle: Type.Optional(Type.String({ maxLength: 256 })),
    newNumber: Type.Optional(CustomerNumber),
    forwarded: Type.Optional(Type.Boolean()),
    adHeadline: Type.Optional(
      Type.String({ maxLength: 200, description: 'Makes the message the first one from a click-to-WhatsApp ad.' }),
    ),
    raw: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Additional fields of the message, as Meta would send them.',
      }),
    ),
    at: Type.Optional(Timestamp),
    repeat: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 5, description: 'Deliver the same webhook this many times.' }),
    ),
  },
  { additionalProperties: false },
)
export type SandboxInbound = Static<typeof SandboxInbound>

/** An action of Meta's agent in a chat. */
export const SandboxAgent = Type.Object(
  {
    from: CustomerNumber,
    action: Type.Enum(['hold', 'answer', 'handOver', 'leave'], {
      description:
        '`hold`: it takes the chat over · `answer`: it writes a message · `handOver`: it hands the chat to the team · `leave`: it leaves the chat without notice.',
    }),
    text: Type.Optional(
      Type.String({ maxLength: 2000, description: 'The message; with `handOver`, the summary of the chat.' }),
    ),
  },
  { additionalProperties: false },
)
export type SandboxAgent = Static<typeof SandboxAgent>
