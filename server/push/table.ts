import type { Generated } from 'kysely'

/** The installation's VAPID key pair: one row, named `vapid`. */
export interface PushKeyTable {
  id: string
  /** base64url, as browsers take it. */
  public_key: string
  /** Sealed. */
  private_key: string
  created_at: string
}

/** A browser that wants a person's notifications, for as long as the session lives in which it said so. */
export interface PushSubscriptionTable {
  id: string
  user_id: string
  session_id: string
  /** In which it is told. */
  language: Generated<string>
  endpoint: string
  p256dh: string
  auth: string
  created_at: string
}

/** A message that has still to be handed to a push service; gone once it was, or once it is no use any more. */
export interface PushDeliveryTable {
  seq: Generated<number>
  org_id: string
  notification_id: string
  subscription_id: string
  attempts: number
  due_at: string
  created_at: string
}

export interface PushTables {
  push_key: PushKeyTable
  push_subscription: PushSubscriptionTable
  push_delivery: PushDeliveryTable
}
