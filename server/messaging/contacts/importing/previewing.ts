import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import { type ImportInput, type ImportPreview, importFaultsShown, importRowsShown } from '#shared/contacts/imports.ts'
import { fold } from '#shared/kernel/fold.ts'
import type { Change } from './comparing.ts'
import { compare, type Opened, readInBatches } from './looking.ts'
import { isRefused, type Refused } from './read-rows.ts'

const shownOf = (one: Change | Refused): ImportPreview['first'][number] => {
  if (isRefused(one)) {
    const { row, given, fault, column } = one
    return { row, number: given.slice(0, 60), name: '', outcome: 'refused', changes: [], fault, column }
  }
  const { wanted, outcome, changes } = one
  const number = displayPhone(wanted.phone) || `+${wanted.phone}`
  return { row: wanted.row, number, name: wanted.name ?? '', outcome, changes: [...changes], fault: null, column: null }
}

export const faultsOf = (rows: readonly (Change | Refused)[]) =>
  rows.flatMap(one => (isRefused(one) ? [{ row: one.row, fault: one.fault, column: one.column }] : []))

/** The first value of each column, from the first rows. */
async function sampleColumns({ file, columns }: Opened, turn: Databases['turn']): Promise<Map<string, string>> {
  const samples = new Map<string, string>()
  let sampled = 0
  for (const line of file.entries()) {
    if (!line) {
      await turn.giveWay()
      continue
    }
    for (const name of columns) {
      const value = line.values[name]
      if (value && !samples.has(name)) samples.set(name, value.slice(0, 60))
    }
    sampled += 1
    if (sampled === importRowsShown) break
  }
  return samples
}

/** Compares every row with the stored contacts, and stores nothing. */
export async function previewImport(
  orgId: string,
  file: Opened,
  input: ImportInput,
  { databases, tags }: { readonly databases: Databases; readonly tags: Pick<Tags, 'list'> },
): Promise<ImportPreview> {
  const { read: db, turn } = databases
  const { columns, targets } = file
  const samples = await sampleColumns(file, turn)
  const known = new Set((await tags.list(db, orgId)).map(({ label }) => fold(label)))
  const newTags = new Map<string, string>()
  const counts = { created: 0, updated: 0, unchanged: 0, refused: 0 }
  const first: ImportPreview['first'] = []
  const faults: ImportPreview['faults'] = []
  let rows = 0
  for (const batch of readInBatches(file)) {
    const found = await compare(db, orgId, batch.rows, { ...file, ...input })
    rows += found.length
    for (const one of found) {
      counts[isRefused(one) ? 'refused' : one.outcome] += 1
      if (first.length < importRowsShown) first.push(shownOf(one))
      if (isRefused(one)) continue
      for (const label of one.tags)
        if (!known.has(fold(label)) && !newTags.has(fold(label))) newTags.set(fold(label), label)
    }
    if (faults.length < importFaultsShown) faults.push(...faultsOf(found).slice(0, importFaultsShown - faults.length))
    await turn.giveWay()
  }
  return {
    hasHeader: file.file.hasHeader,
    columns: columns.map((name, i) => ({ name, target: targets[i] as string, sample: samples.get(name) ?? '' })),
    rows,
    ...counts,
    first,
    faults,
    newTags: [...newTags.values()],
  }
}
