import { contactSearchText } from '#server/messaging/identifier.ts'
import { saveContactTerms } from '#server/messaging/search/contact-index.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { changeContactRow } from './parting-store.ts'
import type { Whole } from './record-store.ts'

/** A contact's address is the last seen identifier of each kind. */
export const addressesOf = (identities: Whole['identities']) => {
  const latest = (kind: Whole['identities'][number]['kind']) =>
    identities
      .filter(one => one.kind === kind)
      .reduce<Whole['identities'][number] | undefined>((a, b) => (a && a.seen_at >= b.seen_at ? a : b), undefined)
      ?.value ?? null
  return { wa_id: latest('phone'), bsuid: latest('bsuid'), username: latest('username') }
}

/** Indexes the contact under its names and numbers. */
export const index = async (
  { db, orgId }: OrgWrite,
  contact: Pick<Whole['contact'], 'id' | 'name' | 'profile_name' | 'username'>,
  { identities, isNew }: { identities: Whole['identities']; isNew: boolean },
): Promise<void> => {
  const phones = identities.flatMap(({ kind, match_key: key, value }) => (kind === 'phone' ? [{ key, value }] : []))
  const { id, name, profile_name: profileName, username } = contact
  const search = contactSearchText({ name, profileName, username }, phones)
  await changeContactRow(db, orgId, id, { search })
  await saveContactTerms(db, orgId, [{ contactId: id, names: search, isNew }])
}
