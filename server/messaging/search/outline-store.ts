import { sql } from 'kysely'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { listedRows } from '#server/platform/db/word-index.ts'
import { isAt, type Spot, spotOfTyped } from './outline.ts'

/** The row that marks an outline in progress. Adding words to the block deletes it with the parts. */
const markPart = -1
/** Every outline has this part. */
const firstPart = 0

/** The first block before `end` without an outline. Undefined: all have one. */
export async function firstWithout(db: Db, end: number): Promise<number | undefined> {
  const rows = await db
    .selectFrom('search_outline')
    .select('stretch')
    .where('part', '=', firstPart)
    .where('stretch', '<', end)
    .orderBy('stretch')
    .execute()
  const gap = rows.findIndex(({ stretch }, i) => stretch !== i)
  const first = gap < 0 ? rows.length : gap
  return first < end ? first : undefined
}

/** Deletes outlines of blocks whose words changed. */
export async function dropOutlines(trx: Db, stretches: readonly number[]): Promise<void> {
  if (stretches.length) await trx.deleteFrom('search_outline').where('stretch', 'in', stretches).execute()
}

/** Marks an outline as in progress. @returns the mark */
export async function markOutline(trx: Db, stretch: number): Promise<Buffer> {
  const bits = Buffer.from(newId())
  await dropOutlines(trx, [stretch])
  await trx.insertInto('search_outline').values({ part: markPart, stretch, bits }).execute()
  return bits
}

/** Stores an outline, unless words were added to its block since it was marked. */
export async function saveOutline(
  trx: Db,
  stretch: number,
  { mark, parts }: { readonly mark: Buffer; readonly parts: readonly Buffer[] },
): Promise<void> {
  const row = await trx
    .selectFrom('search_outline')
    .select('bits')
    .where('part', '=', markPart)
    .where('stretch', '=', stretch)
    .executeTakeFirst()
  if (!row || !mark.equals(row.bits)) return
  await dropOutlines(trx, [stretch])
  await trx
    .insertInto('search_outline')
    .values(parts.map((bits, part) => ({ part, stretch, bits })))
    .execute()
}

/** Words of a search that are checked: the longest, which fewest messages contain. */
const maxAsked = 3

/** `parts` is JSON. */
const selectParts = hotQuery<{ parts: string; end: number }, { part: number; stretch: number; bits: Uint8Array }>(
  (db, p) =>
    db
      .selectFrom('search_outline')
      .select(['part', 'stretch', 'bits'])
      .where('part', 'in', sql<number>`(select value from ${listedRows(db, p.parts)} as asked)`)
      .where('stretch', '<', p.end),
)

const readParts = (db: Db, spots: readonly Spot[], end: number) =>
  selectParts(db, { parts: JSON.stringify(spots.map(({ part }) => part)), end })

/** Blocks before `end` that may contain all words, newest first. */
export async function stretchesThatMay(
  db: Db,
  orgKey: number,
  words: readonly string[],
  end: number,
): Promise<number[]> {
  const all = Array.from({ length: end }, (_, i) => end - 1 - i)
  const longest = words.toSorted((a, b) => b.length - a.length).slice(0, maxAsked)
  const spots = longest.flatMap(word => spotOfTyped(orgKey, word) ?? [])
  if (!all.length || !spots.length) return all
  const lacking = new Set<number>()
  for (const { part, stretch, bits } of await readParts(db, spots, end))
    if (spots.some(spot => spot.part === part && !isAt(bits, spot))) lacking.add(stretch)
  return all.filter(stretch => !lacking.has(stretch))
}
