import type { ArchivedImports } from '#server/messaging/imported/archived.ts'
import type { ImportedMessages } from '#server/messaging/imported/imported.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { ImportMapping } from '#shared/imports/mapping.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import type { StoredImport, StoredMapping } from '../store.ts'

interface MappingParts {
  readonly databases: Pick<Databases, 'read'>
  readonly importedMessages: Pick<ImportedMessages, 'listNumbers'>
  readonly archivedImports: Pick<ArchivedImports, 'listPeople' | 'listTags'>
  readPhone(orgId: string, typed: string): Promise<string | undefined>
}

/** True if everything without a default has been chosen. */
export const isMapped = ({ source, mapping, found }: StoredImport): boolean => {
  const { number, ours, connectionId, numbers = [] } = mapping
  if (source !== 'whatsapp')
    return (found?.archive?.numbers ?? []).every(({ id }) => numbers.some(({ from }) => from === id))
  return number !== undefined && connectionId !== undefined && !!found?.names.some(({ name }) => name === ours)
}

/**
 * The mapping as it is stored.
 * @param part of the call, for errors
 * @throws InvalidInput for a number that is none, or none of ours
 */
export async function checkMapping(
  { databases, importedMessages, archivedImports, readPhone }: MappingParts,
  orgId: string,
  given: ImportMapping,
  part: string,
): Promise<StoredMapping> {
  const { read } = databases
  const { number: typed, phone, numbers: chosen, agents, tags, ...mapping } = given
  const invalid = (field: string) => new InvalidInput([{ field: `${part}.${field}`, code: 'invalid', params: {} }])
  const numbers = await importedMessages.listNumbers(read, orgId)
  const digits = typed === undefined ? undefined : await readPhone(orgId, typed)
  if (typed !== undefined && digits === undefined) throw invalid('number')
  if (digits !== undefined && numbers.some(own => phoneKey(own.phone) === phoneKey(digits))) throw invalid('number')
  const own = phone === undefined ? undefined : numbers.find(one => phoneKey(one.phone) === phoneKey(digitsOf(phone)))
  if (phone !== undefined && !own) throw invalid('phone')
  const people = agents?.length
    ? new Set((await archivedImports.listPeople(read, orgId)).map(({ id }) => id))
    : undefined
  if (agents?.some(({ to }) => to !== null && !people?.has(to))) throw invalid('agents')
  const labels = tags?.length ? new Set((await archivedImports.listTags(read, orgId)).map(({ id }) => id)) : undefined
  if (tags?.some(({ to }) => to !== null && !labels?.has(to))) throw invalid('tags')
  const mapped = chosen?.map(({ from, to }) => {
    if (to === null) return { from, to }
    const own = numbers.find(one => phoneKey(one.phone) === phoneKey(digitsOf(to)))
    if (!own) throw invalid('numbers')
    return { from, to: own.phone, connectionId: own.id }
  })
  return {
    ...mapping,
    ...(agents ? { agents } : {}),
    ...(tags ? { tags } : {}),
    ...(mapped ? { numbers: mapped } : {}),
    ...(digits === undefined ? {} : { number: digits }),
    ...(own ? { phone: own.phone, connectionId: own.id } : {}),
  }
}
