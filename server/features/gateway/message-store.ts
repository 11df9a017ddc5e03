import { lookupQuery } from '#server/platform/db/bulk.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

interface GatewayMessage {
  readonly id: string
  /** The message itself; of a reaction, its target. */
  readonly messageId: string
  readonly callbackData: string | null
}

/** Does nothing for a message that is stored already. */
export async function saveGatewayMessage(db: OrgDb, orgId: string, message: GatewayMessage): Promise<void> {
  await db
    .insertInto('gateway_message')
    .values({ id: message.id, org_id: orgId, message_id: message.messageId, callback_data: message.callbackData })
    .onConflict(oc => oc.column('id').doNothing())
    .execute()
}

/** Returns the messages and reactions that programs sent through the gateway. */
export const findGatewayMessages = lookupQuery<{ orgId: string }, { id: string; callback_data: string | null }>(
  (db, ids, { orgId }) =>
    db.selectFrom('gateway_message').select(['id', 'callback_data']).where('org_id', '=', orgId).where('id', 'in', ids),
)
