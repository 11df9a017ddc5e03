import type { Db } from '#server/platform/db/database.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { ContactField } from '#shared/contacts/fields.ts'

/** Custom fields of contacts. */
export interface ContactFields {
  list(db: Db, orgId: string): Promise<readonly ContactField[]>
  findValuesIn(
    db: Db,
    contactIds: readonly string[],
    of: { orgId: string; fieldId: string },
  ): Promise<readonly { readonly contact_id: string; readonly value: string }[]>
}

/** Values of fields, by contact id. */
export type FindFacts = (
  contactIds: readonly string[],
) => Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>

/** The fields that template values use. */
const fieldsNamed = (values: PlanInput['values']): ReadonlySet<string> =>
  new Set(
    [
      values?.body,
      values?.header,
      values?.buttons,
      { ...(values?.file ? { file: values.file } : {}), ...(values?.fileName ? { name: values.fileName } : {}) },
      ...Object.values(values?.cards ?? {}).flatMap(({ body, buttons }) => [body, buttons]),
    ].flatMap(sources =>
      Object.values(sources ?? {}).flatMap(({ from, text }) => (from === 'field' && text ? [text] : [])),
    ),
  )

/** Formats dates for the template's language. Unknown languages and invalid dates leave the text unchanged. */
const datesIn = (language: string): ((date: string) => string) => {
  try {
    const format = new Intl.DateTimeFormat(language.replaceAll('_', '-'), { dateStyle: 'short', timeZone: 'UTC' })
    return date => {
      const at = new Date(`${date}T00:00:00Z`)
      return Number.isNaN(at.getTime()) ? date : format.format(at)
    }
  } catch {
    return date => date
  }
}

/** Creates the lookup of field values. It returns nothing if no value uses a field. */
export async function createFacts(
  { db, orgId, fields }: { db: Db; orgId: string; fields: ContactFields },
  { values, language }: { values: PlanInput['values']; language: string },
): Promise<FindFacts> {
  const named = fieldsNamed(values)
  if (!named.size) return async () => new Map()
  const known = (await fields.list(db, orgId)).filter(({ id }) => named.has(id))
  const shownDate = datesIn(language)
  return async contactIds => {
    const facts = new Map<string, Record<string, string>>()
    for (const { id, kind } of known)
      for (const { contact_id, value } of await fields.findValuesIn(db, contactIds, { orgId, fieldId: id })) {
        const ofContact = facts.get(contact_id) ?? {}
        ofContact[id] = kind === 'date' ? shownDate(value) : value
        facts.set(contact_id, ofContact)
      }
    return facts
  }
}
