import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'

/** A browser's subscription. @see RFC 8291 */
export const PushSubscription = Type.Object(
  {
    endpoint: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 1024 }),
    keys: Type.Object(
      {
        p256dh: Type.String({
          pattern: '^[A-Za-z0-9_-]{87}=?$',
          description: "The browser's public key: 65 bytes, base64url.",
        }),
        auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}={0,2}$', description: '16 bytes, base64url.' }),
      },
      { additionalProperties: false },
    ),
  },
  { additionalProperties: false },
)
export type PushSubscription = Static<typeof PushSubscription>

const Subscribed = Type.Object({ subscribed: Type.Boolean() })

export const pushApi = {
  getKey: endpoint({
    method: 'GET',
    path: '/push/key',
    access: 'person',
    reply: Type.Object({ key: Type.String({ description: 'VAPID public key, base64url.' }) }),
    summary: "The key with which a browser subscribes to this installation's push messages.",
  }),
  subscribe: endpoint({
    method: 'POST',
    path: '/push/subscriptions',
    access: 'person',
    body: PushSubscription,
    reply: Subscribed,
    summary: "Sends the caller's notifications to this browser until the session ends.",
  }),
  unsubscribe: endpoint({
    method: 'POST',
    path: '/push/unsubscribe',
    access: 'person',
    body: Type.Object(
      { endpoint: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 1024 }) },
      { additionalProperties: false },
    ),
    reply: Subscribed,
    summary: 'Sends nothing to this browser any more.',
  }),
} as const

/** Sent to the browser, encrypted: names of things, nothing that a customer wrote. */
export interface PushPayload {
  /** `notify-{id}` */
  readonly id: string
  /** Slug of the organization. */
  readonly org: string
  readonly title: string
}
