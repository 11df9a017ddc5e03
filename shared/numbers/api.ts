import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, pageOf, Timestamp } from '#shared/kernel/list.ts'

const GraphId = Type.String({ pattern: '^[0-9]{1,32}$', description: "Digits of an id in Meta's Graph." })

const ConnectWhatsApp = Type.Object(
  {
    phoneNumberId: GraphId,
    wabaId: GraphId,
    accessToken: Type.String({ minLength: 1, maxLength: 2048, pattern: '^[\\x21-\\x7e]+$' }),
    appSecret: Type.String({ minLength: 8, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' }),
    verifyToken: Type.Optional(Type.String({ minLength: 8, maxLength: 256, pattern: '^[\\x21-\\x7e]+$' })),
  },
  { additionalProperties: false },
)

export const connectionStatuses = ['connected', 'reauthorise', 'blocked'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

export const numberLabelMaxChars = 40
/** Each costs a lookup per page of a list. */
export const maxNumbers = 50

/** A WhatsApp number of the organization, without its secrets. */
export const Connection = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['cloud', 'sandbox']),
  webhookPath: Type.String(),
  verifyToken: Type.String({
    description: 'To paste into Meta next to the webhook address; empty when the stored keys cannot be decrypted.',
  }),
  phone: Type.String({ description: 'Digits' }),
  displayPhone: Type.String({ description: 'International format; empty when it cannot be parsed.' }),
  phoneNumberId: Type.String(),
  wabaId: Type.String(),
  verifiedName: Nullable(Type.String()),
  label: Nullable(Type.String({ description: "The organization's own label for the number." })),
  status: Type.Enum(connectionStatuses),
  statusReason: Nullable(Type.String()),
  lastWebhookAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type Connection = Static<typeof Connection>

/** A number as every member sees it. `status` null: disconnected; its conversations stay. */
const NumberOfOrg = Type.Object({
  id: Type.String(),
  phone: Type.String(),
  displayPhone: Type.String(),
  verifiedName: Nullable(Type.String()),
  label: Nullable(Type.String()),
  status: Nullable(Type.Enum(connectionStatuses)),
})

export type NumberOfOrg = Static<typeof NumberOfOrg>

export const verifiedNameMaxChars = 100

const VerifiedName = Type.String({
  minLength: 1,
  maxLength: verifiedNameMaxChars,
  pattern: '\\S',
  description: 'The display name of the number.',
})
const TypedPhone = Type.String({
  minLength: 6,
  maxLength: 30,
  description: "In any format; without a country code, the organization's country applies.",
})
const Pin = Type.String({ pattern: '^[0-9]{6}$', description: "PIN of the number's two-step verification." })

/** The number that is meant. Neither field: the only one. */
export const WhichNumber = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 64 })),
    number: Type.Optional(Type.String({ maxLength: 30, description: 'Our number, digits.' })),
  },
  { additionalProperties: false },
)

export const numbersApi = {
  connect: endpoint({
    method: 'PUT',
    path: '/whatsapp/connection',
    access: 'connection:manage',
    body: ConnectWhatsApp,
    reply: Connection,
    refuses: [409, 502],
    summary:
      'Connects a number of the Cloud API after checking the token against Meta: a number already connected gets the new keys, a new number is added.',
  }),
  connectSandbox: endpoint({
    method: 'POST',
    path: '/whatsapp/connection/sandbox',
    access: 'connection:manage',
    reply: Connection,
    idempotent: true,
    summary: 'Connects the built-in simulator.',
  }),
  getConnection: endpoint({
    method: 'GET',
    path: '/whatsapp/connection',
    access: 'connection:manage',
    query: WhichNumber,
    reply: Connection,
    refuses: [404],
    summary: 'A connection without its secrets; default: the first one.',
  }),
  listConnections: endpoint({
    method: 'GET',
    path: '/whatsapp/connections',
    access: 'connection:manage',
    reply: pageOf(Connection),
    summary: "All connections without their secrets, in the organization's order.",
  }),
  rename: endpoint({
    method: 'PATCH',
    path: '/whatsapp/connection',
    access: 'connection:manage',
    query: WhichNumber,
    body: Type.Object(
      { label: Nullable(Type.String({ maxLength: numberLabelMaxChars, description: 'Empty or null: none.' })) },
      { additionalProperties: false },
    ),
    reply: Connection,
    refuses: [404],
    summary: "Sets the organization's own label of a number; Meta and customers do not see it.",
  }),
  orderNumbers: endpoint({
    method: 'PUT',
    path: '/whatsapp/connections/order',
    access: 'connection:manage',
    body: Type.Object(
      { ids: Type.Array(Type.String({ maxLength: 64 }), { minItems: 1, maxItems: maxNumbers, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    reply: Done,
    refuses: [404],
    summary: 'Sets the order of the numbers; messages are sent from the first unless another is chosen.',
  }),
  addNumber: endpoint({
    method: 'POST',
    path: '/whatsapp/number',
    access: 'connection:manage',
    body: Type.Object(
      {
        phone: TypedPhone,
        nameWaba: VerifiedName,
        method: Type.Optional(Type.Enum(['sms', 'voice'], { description: 'How Meta sends the code; default: sms.' })),
        pin: Type.Optional(Pin),
      },
      { additionalProperties: false, examples: [{ phone: '5491155550100', nameWaba: 'Panadería Don Luis' }] },
    ),
    reply: Type.Object({
      phone: Type.String({ description: 'Digits' }),
      displayPhone: Type.String(),
      nameWaba: Type.String(),
      state: Type.Enum(['codeSent', 'connected'], {
        description:
          '`codeSent`: call `verify/auth` with the code to connect the number; `connected`: nothing is left to do.',
      }),
    }),
    refuses: [404, 409, 502],
    idempotent: true,
    summary:
      'Adds a number to the connected WhatsApp account and has Meta send a code to it. A number that is already active there is connected at once.',
  }),
  confirmNumber: endpoint({
    method: 'POST',
    path: '/verify/auth',
    access: 'connection:manage',
    body: Type.Object(
      {
        code: Type.String({
          minLength: 1,
          maxLength: 2048,
          pattern: '^[\\x21-\\x7e]+$',
          description: "The six digits that Meta sent the number, or the code of Meta's own page (embedded signup).",
        }),
        number: Type.Optional(TypedPhone),
        phoneNumberId: Type.Optional(
          Type.String({
            pattern: '^[0-9]{1,32}$',
            description:
              'Instead of `number`, with a code of embedded signup: the id of the number that the page returned.',
          }),
        ),
        pin: Type.Optional(Pin),
      },
      { additionalProperties: false, examples: [{ code: '123456', number: '5491155550100' }] },
    ),
    reply: Connection,
    refuses: [404, 409, 502],
    summary:
      "Verifies a number with a code, registers it and connects it. Without a PIN, a random one is set; it can be changed on Meta's page of the number.",
  }),
  setVerifiedName: endpoint({
    method: 'PUT',
    path: '/whatsapp/namewaba',
    access: 'connection:manage',
    body: Type.Object(
      { name: VerifiedName, phone: TypedPhone, pin: Type.Optional(Pin) },
      { additionalProperties: false, examples: [{ name: 'Panadería Don Luis', phone: '5491155550100' }] },
    ),
    reply: Type.Object({
      phone: Type.String({ description: 'Digits' }),
      displayPhone: Type.String(),
      name: Type.String(),
      verifiedName: Nullable(Type.String({ description: 'The display name in use.' })),
      state: Type.Enum(['inUse', 'inReview', 'approved', 'declined'], {
        description: '`approved`: repeat the call with the `pin` of the number to start using the name.',
      }),
    }),
    refuses: [404, 502],
    summary: 'Requests another display name for a number from Meta, and returns the state of the request.',
  }),
  disconnect: endpoint({
    method: 'DELETE',
    path: '/whatsapp/connection',
    access: 'connection:manage',
    query: WhichNumber,
    reply: Done,
    refuses: [404],
    summary: 'Deletes a connection and its secrets; conversations stay. With several numbers, `number` is required.',
  }),
  getWaba: endpoint({
    method: 'GET',
    path: '/verify/waba',
    access: 'member',
    sameFor: 'organization',
    reply: Type.Object({
      phone: Nullable(Type.String()),
      displayPhone: Type.String(),
      verifiedName: Nullable(Type.String()),
      kind: Nullable(Type.Enum(['cloud', 'sandbox'])),
      status: Nullable(Type.Enum(connectionStatuses)),
      numbers: Type.Optional(
        Type.Array(NumberOfOrg, {
          description: "All numbers of the organization's conversations; absent when there is only one.",
        }),
      ),
      stale: Type.Optional(
        Type.Boolean({
          description: 'The product API that has the number does not answer: this is the last one known.',
        }),
      ),
    }),
    summary: 'The business number shown in the sidebar, the first of several; nulls when none is connected.',
  }),
} as const
