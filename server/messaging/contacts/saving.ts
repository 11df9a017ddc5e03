import { listOwnNumbers } from '#server/messaging/conversations/rows/number-store.ts'
import { saveConversations } from '#server/messaging/conversations/rows/save-store.ts'
import { findConversations } from '#server/messaging/conversations/rows/store.ts'
import type { DirectoryParts } from '#server/messaging/directory/directory.ts'
import { contactAddress, identifierOfAddress } from '#server/messaging/identifier.ts'
import { beginConversation } from '#server/messaging/sending/first-message.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { contactsApi } from '#shared/contacts/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { nameContactAs, nameOfInput } from './contact-details.ts'

interface SavingParts extends DirectoryParts {
  readonly writes: Pick<Writes, 'run'>
  /** Digits of a typed number. Undefined: no number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
}

/**
 * Saves a person under a name. A new contact also gets an archived conversation, so that it can be found and written to
 * without appearing in the inbox.
 */
export const createContactSaving = (
  parts: SavingParts,
): Pick<ServiceOf<typeof contactsApi, OrgCaller>, 'saveContact'> => ({
  async saveContact(member, { body }) {
    const { orgId } = member
    const name = nameOfInput(body.name)
    const digits = await parts.readPhone(orgId, body.phone)
    const identifier = digits === undefined ? undefined : identifierOfAddress(digits)
    if (digits === undefined || identifier?.kind !== 'phone')
      throw new InvalidInput([{ field: 'body.phone', code: 'invalid', params: {} }])
    return parts.writes.run(orgId, actorOf(member), async write => {
      const [known] = await findConversations(write.db, member, identifier)
      if (known) {
        await nameContactAs(write, known.contact_id, name)
        return { phone: contactAddress(known), created: false }
      }
      const numbers = await listOwnNumbers(write.db, orgId)
      // Our own numbers cannot be contacts.
      if (numbers.some(own => phoneKey(own.phone) === identifier.key))
        throw new InvalidInput([{ field: 'body.phone', code: 'invalid', params: {} }])
      const row = await beginConversation(write, { address: digits, phone: undefined, numbers }, parts)
      row.archived = 1
      await saveConversations(write.db, [row], { orgId })
      await nameContactAs(write, row.contact_id, name)
      return { phone: contactAddress(row), created: true }
    })
  },
})
