import type { PlanInput } from '#shared/bulk-sends.ts'
import type { ContactField } from '#shared/contact-fields.ts'
import type { Db } from '../db.ts'

/** What an organization keeps of its contacts. */
export interface ContactFields {
  list(db: Db, orgId: string): Promise<readonly ContactField[]>
  findValues(
    db: Db,
    contactIds: readonly string[],
    of: { orgId: string },
  ): Promise<readonly { readonly contact_id: string; readonly field_id: string; readonly value: string }[]>
}

/** Of some contacts, by their ids, what is known in each field. */
export type FindFacts = (
  contactIds: readonly string[],
) => Promise<ReadonlyMap<string, Readonly<Record<string, string>>>>

const namesField = (values: PlanInput['values']): boolean =>
  [values?.body, values?.header, values?.buttons].some(sources =>
    Object.values(sources ?? {}).some(({ from }) => from === 'field'),
  )

/** As the template's language writes it; what is no language of ours stays as it is kept. */
const shownDate = (date: string, language: string): string => {
  try {
    const format = new Intl.DateTimeFormat(language.replaceAll('_', '-'), { dateStyle: 'short', timeZone: 'UTC' })
    return format.format(new Date(`${date}T00:00:00Z`))
  } catch {
    return date
  }
}

/** Looks up what values are taken from; nothing where none is taken from a field. */
export async function createFacts(
  { db, orgId, fields }: { db: Db; orgId: string; fields: ContactFields },
  { values, language }: { values: PlanInput['values']; language: string },
): Promise<FindFacts> {
  if (!namesField(values)) return async () => new Map()
  const kinds = new Map((await fields.list(db, orgId)).map(({ id, kind }) => [id, kind]))
  return async contactIds => {
    const found = (await fields.findValues(db, contactIds, { orgId })).filter(({ field_id }) => kinds.has(field_id))
    const shown = found.map(row => ({
      ...row,
      value: kinds.get(row.field_id) === 'date' ? shownDate(row.value, language) : row.value,
    }))
    return new Map(
      [...Map.groupBy(shown, row => row.contact_id)].map(([id, rows]) => [
        id,
        Object.fromEntries(rows.map(row => [row.field_id, row.value])),
      ]),
    )
  }
}
