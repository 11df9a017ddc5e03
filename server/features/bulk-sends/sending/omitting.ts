import { countRoomFor } from '#server/platform/db/row-limits-store.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import type { OmissionReason } from '#shared/bulk-sends/states.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isOfferOver } from '#shared/templates/sending.ts'
import { type FoundContact, findJustSent } from '../audience/audience-store.ts'
import type { PlannedRecipient } from '../planning/planned-store.ts'
import { addToCounts } from '../store.ts'
import type { StoredSend } from '../stored-send.ts'
import { findCapped } from './marketing-cap.ts'
import { saveStates } from './recipient-store.ts'

/** Minimum time between two messages to one person. Meta refuses a faster rate if it lasts. */
export const everyPersonMs = 6000
/** Longer than anything stays queued. */
const dayMs = 86_400_000

const phonesOf = (some: readonly FoundContact[]) => new Set(some.map(contact => contact.match_key))

/** Decides which of the next recipients get no message, or not yet, because of changes since the plan. */
export function createOmitting({ clock }: { readonly clock: Clock }) {
  /** Omits these recipients. Returns the others. */
  const omit = async (
    { db, orgId }: OrgWrite,
    send: StoredSend,
    people: readonly PlannedRecipient[],
    { phones, reason }: { phones: ReadonlySet<string>; reason: OmissionReason },
  ): Promise<readonly PlannedRecipient[]> => {
    const omitted = people.filter(({ phone }) => phones.has(phoneKey(phone)))
    if (!omitted.length) return people
    await saveStates(
      db,
      omitted.map(({ id }) => ({ id, state: 'omitted', reason })),
      { orgId, at: isoNow(clock) },
    )
    await addToCounts(db, orgId, send.id, { planned: -omitted.length, omitted: omitted.length })
    return people.filter(one => !omitted.includes(one))
  }

  /** Recipients with a recent or queued message of another send wait. Returns the others. */
  const withoutJustSent = async (
    { db, orgId }: OrgWrite,
    people: readonly PlannedRecipient[],
    contacts: readonly FoundContact[],
  ): Promise<readonly PlannedRecipient[]> => {
    const ids = contacts.map(({ id }) => id)
    const times = { handedSince: isoIn(clock, -dayMs), since: isoIn(clock, -everyPersonMs) }
    const rows = await findJustSent(db, ids, { orgId, ...times })
    if (!rows.length) return people
    const just = new Set(rows.map(row => row.contact_id))
    const phones = phonesOf(contacts.filter(({ id }) => just.has(id)))
    return people.filter(({ phone }) => !phones.has(phoneKey(phone)))
  }

  /** Omits people who were blocked after planning, for any template. Returns the others. */
  const omitBlocked = (
    write: OrgWrite,
    send: StoredSend,
    people: readonly PlannedRecipient[],
    contacts: readonly FoundContact[],
  ): Promise<readonly PlannedRecipient[]> =>
    omit(write, send, people, { phones: phonesOf(contacts.filter(one => one.blocked_at !== null)), reason: 'blocked' })

  /** Omits people who opted out after planning or reached the marketing limit. Returns the others. */
  const omitFromMarketing = async (
    write: OrgWrite,
    send: StoredSend,
    people: readonly PlannedRecipient[],
    contacts: readonly FoundContact[],
  ): Promise<readonly PlannedRecipient[]> => {
    const optedOut = phonesOf(contacts.filter(contact => contact.opt_out !== null))
    const ids = contacts.map(({ id }) => id)
    const capped = await findCapped(write.db, write.orgId, ids, { cap: send.care.marketingCap, clock })
    const rest = await omit(write, send, people, { phones: optedOut, reason: 'optedOut' })
    const had = phonesOf(contacts.filter(({ id }) => capped.has(id)))
    return omit(write, send, rest, { phones: had, reason: 'capped' })
  }

  /** Omits recipients whose offer has ended. Returns the others. */
  const omitEndedOffers = (
    write: OrgWrite,
    send: StoredSend,
    people: readonly PlannedRecipient[],
  ): Promise<readonly PlannedRecipient[]> => {
    const now = clock.now().getTime()
    const over = people.filter(one => isOfferOver(send.template.components, one.values.offerEndsAt, now))
    const phones = new Set(over.map(({ phone }) => phoneKey(phone)))
    return omit(write, send, people, { phones, reason: 'offerOver' })
  }

  /** New contacts are created while the organization's limit allows. Omits the rest and returns the others. */
  const omitBeyondContactLimit = async (
    write: OrgWrite,
    send: StoredSend,
    people: readonly PlannedRecipient[],
    contacts: readonly FoundContact[],
  ): Promise<readonly PlannedRecipient[]> => {
    const known = phonesOf(contacts)
    const strangers = people.filter(({ phone }) => !known.has(phoneKey(phone)))
    if (!strangers.length) return people
    const left = Math.max(0, await countRoomFor(write.db, write.orgId, 'contacts'))
    const phones = new Set(strangers.slice(left).map(({ phone }) => phoneKey(phone)))
    return omit(write, send, people, { phones, reason: 'contactsFull' })
  }

  return { withoutJustSent, omitBlocked, omitFromMarketing, omitEndedOffers, omitBeyondContactLimit }
}
