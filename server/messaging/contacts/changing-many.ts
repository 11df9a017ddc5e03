import { findField, findValuesIn, removeValuesIn, saveValues } from '#server/messaging/directory/field-store.ts'
import { findOptOuts } from '#server/messaging/directory/opt-out-store.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { ContactsChange, contactsApi } from '#shared/contacts/api.ts'
import { fieldValueOf } from '#shared/contacts/fields.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { emitContactsChanged } from './contact-details.ts'
import { selectContacts } from './contact-list-store.ts'
import { optInContacts, optOutContacts } from './opt-outs.ts'

const refuse = (field: string) => new InvalidInput([{ field, code: 'invalid', params: {} }])

/** Stores one value for all. Returns the contacts that had another. @throws InvalidInput for a wrong field or value */
const fill = async (
  write: OrgWrite,
  contactIds: readonly string[],
  { id: fieldId, value: typed }: NonNullable<ContactsChange['field']>,
): Promise<string[]> => {
  const { db, orgId } = write
  const field = await findField(db, orgId, fieldId)
  if (!field) throw refuse('body.field.id')
  const value = typed === null ? null : fieldValueOf(field, typed)
  if (value === undefined) throw refuse('body.field.value')
  const known = await findValuesIn(db, contactIds, { orgId, fieldId })
  const before = new Map(known.map(row => [row.contact_id, row.value]))
  const changed = contactIds.filter(id => (before.get(id) ?? null) !== value)
  if (value === null)
    await removeValuesIn(
      db,
      changed.map(contactId => ({ contactId })),
      { orgId, fieldId },
    )
  else
    await saveValues(
      db,
      changed.map(contactId => ({ contactId, fieldId, value })),
      { orgId },
    )
  if (changed.length) await emitContactsChanged(write, changed, ['fields'])
  return changed
}

/** Changes contacts that the caller sees, several at once. */
export const createContactsChange = ({
  writes,
  clock,
}: {
  writes: Pick<Writes, 'run'>
  clock: Clock
}): Pick<ServiceOf<typeof contactsApi, OrgCaller>, 'changeContacts'> => ({
  changeContacts: (caller, { body: { ids, field, optedOut } }) =>
    writes.run(caller.orgId, actorOf(caller), async write => {
      const asked = [...new Set(ids)]
      const seen = await selectContacts(write.db, caller, { ids: asked }, asked.length).execute()
      const found = asked.filter(id => seen.some(row => row.id === id))
      const changed = new Set(field ? await fill(write, found, field) : [])
      // What customers chose in WhatsApp only they can take back there.
      const optOuts = optedOut === false ? await findOptOuts(write.db, found, { orgId: write.orgId }) : []
      const kept = optOuts.filter(({ optOut }) => optOut.source === 'whatsapp').map(({ id }) => id)
      const asOptedOut = { at: isoNow(clock), source: 'person' as const, note: null, by: caller.name }
      if (optedOut === true) for (const id of await optOutContacts(write, found, asOptedOut)) changed.add(id)
      if (optedOut === false)
        for (const id of await optInContacts(
          write,
          found.filter(one => !kept.includes(one)),
        ))
          changed.add(id)
      return { changed: changed.size, missing: asked.filter(id => !found.includes(id)), kept }
    }),
})
