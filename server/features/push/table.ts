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

export interface PushTables {
  push_key: PushKeyTable
  push_subscription: PushSubscriptionTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends PushTables {}
}
