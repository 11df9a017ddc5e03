import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { findConversations } from '#server/messaging/conversations/rows/store.ts'
import { inboxErrors } from '#server/messaging/errors.ts'
import { identifierOfAddress } from '#server/messaging/identifier.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { actionMessageType } from '#shared/inbox/message-actions.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'
import { readAction } from './asked-action.ts'
import { chooseConversation } from './sending-number.ts'

/** Ids of the catalogues linked to a number's account. Undefined: WhatsApp does not say. */
export type CatalogueIds = (orgId: string, connectionId: string) => Promise<readonly string[] | undefined>

/**
 * WhatsApp accepts products only from a catalogue linked to the account, so this is checked before anything is stored.
 * If WhatsApp does not say, the product is sent and WhatsApp decides. @throws INBOX_NO_CATALOGUE, InvalidInput for a
 * catalogue that is not linked, and what `readAction` throws.
 */
export async function requireCatalogue(
  db: Db,
  caller: OrgCaller,
  body: SendMessage,
  catalogueIds: CatalogueIds,
): Promise<void> {
  if (body.type !== actionMessageType || body.action !== 'product') return
  const asked = readAction(body)
  const to = identifierOfAddress(body.numberTel)
  if (!('product' in asked) || !to) return
  const found = await findConversations(db, caller, to)
  const choice = { phone: body.phone, isOne: to.kind === 'conversation' }
  const row = chooseConversation(found, await listOwnNumbers(db, caller.orgId), choice)
  const ids = row && (await catalogueIds(caller.orgId, row.connection_id))
  if (!ids) return
  if (!ids.length) throw inboxErrors.NO_CATALOGUE()
  if (!ids.includes(asked.product.catalogId))
    throw new InvalidInput([{ field: 'body.data.catalogId', code: 'invalid', params: {} }])
}
