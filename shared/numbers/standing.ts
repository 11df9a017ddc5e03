import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { PictureBody, pictureBodyLimit } from '#shared/media/pictures.ts'
import { WhichNumber } from './api.ts'

/** Meta's words for industries, in the order in which they are offered. */
export const verticals = [
  'RETAIL',
  'RESTAURANT',
  'GROCERY',
  'APPAREL',
  'BEAUTY',
  'HEALTH',
  'EDU',
  'PROF_SERVICES',
  'FINANCE',
  'AUTO',
  'HOTEL',
  'TRAVEL',
  'ENTERTAIN',
  'EVENT_PLAN',
  'NONPROFIT',
  'GOVT',
  'ALCOHOL',
  'OTC_DRUGS',
  'ONLINE_GAMBLING',
  'PHYSICAL_GAMBLING',
  'OTHER',
] as const

/** WhatsApp's limits, in characters. */
export const profileLimits = { about: 139, address: 256, description: 512, email: 128, website: 256 } as const
export const maxWebsites = 2

const checkStates = ['good', 'warning', 'bad', 'unknown'] as const
export type CheckState = (typeof checkStates)[number]

const Check = Type.Object({
  id: Type.String({ description: 'Stable: `token`, `webhookFields` …' }),
  title: Type.String(),
  state: Type.Enum(checkStates),
  says: Type.String(),
  press: Type.Array(Type.String(), { description: "The buttons to press on Meta's pages, in order; empty: none." }),
  href: Nullable(Type.String({ description: 'Address of the first of those pages.' })),
  mend: Nullable(
    Type.Enum(['subscribe', 'token', 'number', 'name', 'templates'], {
      description: 'The action in this product that fixes it.',
    }),
  ),
})
export type ConnectionCheck = Static<typeof Check>

const Standing = Type.Object({
  connection: Type.Object({ id: Type.String(), kind: Type.Enum(['cloud', 'sandbox']), phone: Type.String() }),
  readAt: Nullable(Timestamp),
  quality: Nullable(Type.Enum(['high', 'medium', 'low'])),
  limit: Type.Object(
    {
      people: Nullable(Type.Integer({ description: 'Customers it may message first within 24 hours; -1: unlimited.' })),
      used: Type.Integer({ description: 'Customers messaged first by the organization in the last 24 hours.' }),
    },
    { description: 'Null where Meta has not said.' },
  ),
  token: Type.Object({
    expiresAt: Nullable(Timestamp),
    lasts: Nullable(Type.Boolean({ description: 'True: the token does not expire. Null: unknown.' })),
    refused: Type.Boolean({ description: 'Meta rejects the token: nothing is sent until it is replaced.' }),
  }),
  lastWebhookAt: Nullable(Timestamp),
  checks: Type.Array(Check),
  news: Type.Array(Type.Object({ level: Type.Enum(['info', 'warning', 'bad']), at: Timestamp, says: Type.String() }), {
    description: "What Meta's webhooks reported about the account, newest first, at most 20.",
  }),
})
export type NumberStanding = Static<typeof Standing>

const Text = (max: number) => Type.String({ maxLength: max })
const Profile = Type.Object({
  /** It was read at this time; null: never, and all fields are empty. */
  readAt: Nullable(Timestamp),
  about: Type.String(),
  address: Type.String(),
  description: Type.String(),
  email: Type.String(),
  websites: Type.Array(Type.String()),
  vertical: Type.String({ description: "Meta's identifier of the industry; empty: none." }),
  picture: Nullable(Type.String({ description: 'As a `data:` address.' })),
})
export type ConnectionProfile = Static<typeof Profile>

export const numberStandingApi = {
  getStanding: endpoint({
    method: 'GET',
    path: '/whatsapp/connection/standing',
    access: 'connection:read',
    query: WhichNumber,
    reply: Standing,
    refuses: [404],
    summary: 'The state of a number at Meta when last checked, and how to fix what is wrong.',
  }),
  readStanding: endpoint({
    method: 'POST',
    path: '/whatsapp/connection/standing',
    access: 'connection:manage',
    query: WhichNumber,
    reply: Standing,
    refuses: [404],
    summary: 'Checks the state of a number at Meta now.',
  }),
  subscribe: endpoint({
    method: 'POST',
    path: '/whatsapp/connection/subscription',
    access: 'connection:manage',
    query: WhichNumber,
    reply: Standing,
    refuses: [404, 502],
    summary:
      "Subscribes this installation's app to the webhooks of the account, and checks the state of the number again.",
  }),
  beginRoundTrip: endpoint({
    method: 'POST',
    path: '/whatsapp/connection/round-trip',
    access: 'connection:manage',
    query: WhichNumber,
    body: Type.Object(
      { to: Type.String({ minLength: 6, maxLength: 30, description: 'Your own number, in any format.' }) },
      { additionalProperties: false, examples: [{ to: '5491155550100' }] },
    ),
    reply: Type.Object({ wamid: Type.String(), at: Timestamp }),
    refuses: [404, 502],
    idempotent: true,
    summary: 'Sends a short test message to a number; its status webhook shows that sending and receiving work.',
  }),
  endRoundTrip: endpoint({
    method: 'GET',
    path: '/whatsapp/connection/round-trip',
    access: 'connection:manage',
    query: Type.Object({ wamid: Type.String({ minLength: 1, maxLength: 512 }) }, { additionalProperties: false }),
    reply: Type.Object({
      heard: Nullable(
        Type.Object({
          at: Timestamp,
          status: Type.String({ description: 'The same values as the status of a message.' }),
          code: Nullable(Type.String({ description: "Meta's error code, if it was not delivered." })),
        }),
      ),
    }),
    summary:
      'Whether the status webhook of the test message has arrived; a failed status proves the webhook works, too.',
  }),
  getProfile: endpoint({
    method: 'GET',
    path: '/whatsapp/connection/profile',
    access: 'connection:read',
    query: WhichNumber,
    reply: Profile,
    refuses: [404],
    summary: 'The business profile that customers see, as last read from Meta.',
  }),
  changeProfile: endpoint({
    method: 'PATCH',
    path: '/whatsapp/connection/profile',
    access: 'connection:manage',
    query: WhichNumber,
    body: Type.Object(
      {
        about: Type.Optional(Type.String({ minLength: 1, maxLength: profileLimits.about, pattern: '\\S' })),
        address: Type.Optional(Text(profileLimits.address)),
        description: Type.Optional(Text(profileLimits.description)),
        email: Type.Optional(Text(profileLimits.email)),
        websites: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: profileLimits.website }), { maxItems: maxWebsites }),
        ),
        vertical: Type.Optional(Type.Enum(verticals)),
      },
      { additionalProperties: false, minProperties: 1, examples: [{ about: 'Pan recién hecho' }] },
    ),
    reply: Profile,
    refuses: [404, 502],
    summary: 'Changes the business profile that customers see; absent fields stay unchanged.',
  }),
  setProfilePicture: endpoint({
    method: 'PUT',
    path: '/whatsapp/connection/profile/picture',
    access: 'connection:manage',
    query: WhichNumber,
    body: PictureBody,
    bodyLimit: pictureBodyLimit,
    reply: Profile,
    refuses: [404, 502],
    summary: "Changes the business's picture: a PNG or JPEG, which WhatsApp shows in a circle.",
  }),
} as const
