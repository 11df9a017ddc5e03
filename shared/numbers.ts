import { type Static, Type } from 'typebox'
import { endpoint } from './contract.ts'
import { Done } from './inbox.ts'
import { Nullable, Timestamp } from './list.ts'

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

const connectionStatuses = ['connected', 'reauthorise', 'blocked'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

/** A WhatsApp number of the organization; secrets never come back. */
export const Connection = Type.Object({
  id: Type.String(),
  kind: Type.Enum(['cloud', 'sandbox']),
  webhookPath: Type.String(),
  verifyToken: Type.String({
    description: 'To paste into Meta beside the webhook address; empty when the stored keys cannot be read.',
  }),
  phone: Type.String({ description: 'Digits' }),
  displayPhone: Type.String({ description: 'International format; empty when it cannot be parsed.' }),
  phoneNumberId: Type.String(),
  wabaId: Type.String(),
  verifiedName: Nullable(Type.String()),
  status: Type.Enum(connectionStatuses),
  statusReason: Nullable(Type.String()),
  lastWebhookAt: Nullable(Timestamp),
  createdAt: Timestamp,
})
export type Connection = Static<typeof Connection>

export const numbersApi = {
  connect: endpoint({
    method: 'PUT',
    path: '/whatsapp/connection',
    access: 'connection:manage',
    body: ConnectWhatsApp,
    reply: Connection,
    refuses: [409, 502],
    summary: 'Connects a number of the Cloud API after checking the token against it.',
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
    reply: Connection,
    refuses: [404],
    summary: 'The connection without its secrets.',
  }),
  disconnect: endpoint({
    method: 'DELETE',
    path: '/whatsapp/connection',
    access: 'connection:manage',
    reply: Done,
    refuses: [404],
    summary: 'Forgets the connection and its secrets; conversations stay.',
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
    }),
    summary: 'The business number shown in the sidebar; nulls when none is connected.',
  }),
} as const
