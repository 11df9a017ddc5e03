import type { KeyedHash } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import { deleteMarks, findMarks, hasMarks, insertBlockMarks, insertOptOutMarks } from './mark-store.ts'

/** An identifier of a person, in a normalized spelling. */
export interface Recognized {
  readonly kind: 'phone' | 'bsuid' | 'username' | 'other'
  readonly key: string
}

/** Facts that apply again when the person returns. */
export interface Kept {
  readonly optOut: OptOut | null
  /** `by`: a name. */
  readonly block: { readonly at: string; readonly by: string } | null
}

/** Usernames are given up and taken by others, so they do not identify an erased person. */
const isLasting = ({ kind }: Recognized): boolean => kind !== 'username'

const nobody: ReadonlyMap<string, Kept> = new Map()

export interface KeptMarks {
  /** Returns the kept facts of erased people, by phone key. */
  findPhones(db: Db, orgId: string, keys: readonly string[]): Promise<ReadonlyMap<string, Kept>>
  /**
   * The facts of these new contacts from before they were erased, by id. They are removed from the marks and belong to
   * the contact again.
   */
  take(
    db: OrgDb,
    orgId: string,
    contacts: readonly { readonly id: string; readonly known: readonly Recognized[] }[],
  ): Promise<ReadonlyMap<string, Kept>>
}

/** A person has several hashes, each with one fact. */
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
 * Opt-outs and blocks outlast an erasure. They are stored by hashes that reveal nothing without the installation's
 * secret.
 */
export function createMarks(hash: KeyedHash, former: readonly KeyedHash[] = []) {
  const textOf = (orgId: string, { kind, key }: Recognized) => `${orgId} ${kind} ${key}`
  const hashOf = (orgId: string, one: Recognized) => hash(textOf(orgId, one))
  /** Marks may have been stored with the current or an earlier secret. */
  const everyHashOf = (orgId: string, one: Recognized) => [hash, ...former].map(by => by(textOf(orgId, one)))
  const hashesOf = (orgId: string, known: readonly Recognized[]) =>
    known.filter(isLasting).map(one => hashOf(orgId, one))

  // Without any erased person nothing is hashed. That saves a hash for each row of a large file.
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
