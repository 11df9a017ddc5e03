import type { KeyedHash } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import { deleteMarks, findMarks, hasMarks, insertBlockMarks, insertOptOutMarks } from './mark-store.ts'

/** By what a person is recognized, in the spelling common to all. */
export interface Recognized {
  readonly kind: 'phone' | 'bsuid' | 'username' | 'other'
  readonly key: string
}

/** What was so of somebody, and is so again when they come back. */
export interface Kept {
  readonly optOut: OptOut | null
  /** `by`: by name. */
  readonly block: { readonly at: string; readonly by: string } | null
}

/** A username is given up and taken by others, so it stands for nobody who is gone. */
const isLasting = ({ kind }: Recognized): boolean => kind !== 'username'

const nobody: ReadonlyMap<string, Kept> = new Map()

export interface KeptMarks {
  /** Which of these keys of numbers stand for somebody who was erased, and what was so of them. */
  findPhones(db: Db, orgId: string, keys: readonly string[]): Promise<ReadonlyMap<string, Kept>>
  /** What was so of these new contacts, by id, before they were erased; from then on it is theirs again. */
  take(
    db: OrgDb,
    orgId: string,
    contacts: readonly { readonly id: string; readonly known: readonly Recognized[] }[],
  ): Promise<ReadonlyMap<string, Kept>>
}

/** Several hashes stand for one person, and each says one thing. */
const keptBy = (owners: ReadonlyMap<string, string>, found: Awaited<ReturnType<typeof findMarks>>) => {
  const kept = new Map<string, Kept>()
  for (const { hash, at, source, by } of found) {
    const owner = owners.get(hash) as string
    const { optOut, block } = kept.get(owner) ?? { optOut: null, block: null }
    kept.set(owner, {
      optOut: source === null ? optOut : { at, source, note: null, by: null },
      block: by === null ? block : { at, by },
    })
  }
  return kept
}

/**
 * That somebody wants no marketing, or was blocked, outlasts them: kept by hashes that tell nothing without the
 * installation's secret.
 */
export function createMarks(hash: KeyedHash, former: readonly KeyedHash[] = []) {
  const textOf = (orgId: string, { kind, key }: Recognized) => `${orgId} ${kind} ${key}`
  const hashOf = (orgId: string, one: Recognized) => hash(textOf(orgId, one))
  /** As marks may have been kept: by the secret of today, and by those of before. */
  const everyHashOf = (orgId: string, one: Recognized) => [hash, ...former].map(by => by(textOf(orgId, one)))
  const hashesOf = (orgId: string, known: readonly Recognized[]) =>
    known.filter(isLasting).map(one => hashOf(orgId, one))

  // Where nobody was erased, which is nearly everywhere, nobody is hashed: not each row of a large file, not each stranger.
  const keptMarks: KeptMarks = {
    async findPhones(db, orgId, keys) {
      if (!keys.length || !(await hasMarks(db, orgId))) return nobody
      const owners = new Map(
        keys.flatMap(key => everyHashOf(orgId, { kind: 'phone', key }).map(one => [one, key] as const)),
      )
      return keptBy(owners, await findMarks(db, [...owners.keys()], { orgId }))
    },
    async take(db, orgId, contacts) {
      if (!(await hasMarks(db, orgId))) return nobody
      const owners = new Map(
        contacts.flatMap(({ id, known }) =>
          known.filter(isLasting).flatMap(one => everyHashOf(orgId, one).map(found => [found, id] as const)),
        ),
      )
      const found = await findMarks(db, [...owners.keys()], { orgId })
      if (!found.length) return nobody
      await deleteMarks(db, orgId, [...new Set(found.map(row => row.erasure_id))])
      return keptBy(owners, found)
    },
  }

  return {
    keptMarks,
    hashOf,
    async keep(
      db: OrgDb,
      orgId: string,
      known: readonly Recognized[],
      { erasureId, optOut, block }: Kept & { erasureId: string },
    ): Promise<void> {
      const facts = { hashes: hashesOf(orgId, known), erasure_id: erasureId }
      if (optOut) await insertOptOutMarks(db, orgId, { ...facts, at: optOut.at, source: optOut.source })
      if (block) await insertBlockMarks(db, orgId, { ...facts, at: block.at, blocked_by: block.by })
    },
  }
}
export type Marks = ReturnType<typeof createMarks>
