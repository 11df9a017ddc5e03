import type { OptOut } from '#shared/opt-outs.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import type { KeyedHash } from '../secrets.ts'
import { deleteMarks, findMarks, insertMarks } from './mark-store.ts'

/** By what a person is recognized, in the spelling common to all. */
export interface Recognized {
  readonly kind: 'phone' | 'bsuid' | 'username'
  readonly key: string
}

/** A username is given up and taken by others, so it stands for nobody who is gone. */
const isLasting = ({ kind }: Recognized): boolean => kind !== 'username'

export interface KeptOptOuts {
  /** Those of these keys of numbers that stand for somebody who wanted no marketing. */
  findPhones(db: Db, orgId: string, keys: readonly string[]): Promise<ReadonlySet<string>>
  /** What these new contacts, by id, had said before they were erased; from then on it is theirs again. */
  take(
    db: OrgDb,
    orgId: string,
    contacts: readonly { readonly id: string; readonly known: readonly Recognized[] }[],
  ): Promise<ReadonlyMap<string, OptOut>>
}

/** That somebody wants no marketing outlasts them: kept by hashes that tell nothing without the installation's secret. */
export function createOptOutMarks(hash: KeyedHash) {
  const hashOf = (orgId: string, { kind, key }: Recognized) => hash(`${orgId} ${kind} ${key}`)
  const hashesOf = (orgId: string, known: readonly Recognized[]) =>
    known.filter(isLasting).map(one => hashOf(orgId, one))

  const keptOptOuts: KeptOptOuts = {
    async findPhones(db, orgId, keys) {
      const byHash = new Map(keys.map(key => [hashOf(orgId, { kind: 'phone', key }), key]))
      const found = await findMarks(db, [...byHash.keys()], { orgId })
      return new Set(found.map(row => byHash.get(row.hash) as string))
    },
    async take(db, orgId, contacts) {
      const owner = new Map(contacts.flatMap(({ id, known }) => hashesOf(orgId, known).map(one => [one, id] as const)))
      const found = await findMarks(db, [...owner.keys()], { orgId })
      if (!found.length) return new Map()
      await deleteMarks(
        db,
        orgId,
        found.map(row => row.erasure_id),
      )
      return new Map(
        found.map(row => [owner.get(row.hash) as string, { at: row.at, source: row.source, note: null, by: null }]),
      )
    },
  }

  return {
    keptOptOuts,
    hashOf,
    keep: (
      db: OrgDb,
      orgId: string,
      known: readonly Recognized[],
      { erasureId, at, source }: Pick<OptOut, 'at' | 'source'> & { erasureId: string },
    ) => insertMarks(db, orgId, { hashes: hashesOf(orgId, known), erasure_id: erasureId, at, source }),
  }
}
export type OptOutMarks = ReturnType<typeof createOptOutMarks>
