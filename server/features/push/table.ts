import type { Generated } from 'kysely'

/** The installation's VAPID key pair: one row, named `vapid`. */
interface PushKeyTable {
  id: string
  /** base64url. */
  public_key: string
  /** Encrypted. */
  private_key: string
  created_at: string
}

/** A browser that receives a person's notifications, as long as its session lives. */
interface PushSubscriptionTable {
  id: string
  user_id: string
  session_id: string
  /** Language of the messages. */
  language: Generated<string>
  endpoint: string
  p256dh: string
  auth: string
  created_at: string
}

interface PushTables {
  push_key: PushKeyTable
  push_subscription: PushSubscriptionTable
}

declare module '#server/platform/db/database.ts' {
  interface Database extends PushTables {}
}
