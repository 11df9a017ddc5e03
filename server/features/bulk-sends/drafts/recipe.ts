import type { Audience } from '#shared/bulk-sends/audience.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import type { BulkRecipe } from '#shared/bulk-sends/sends.ts'
import type { ValueSource } from '#shared/bulk-sends/values.ts'

/**
 * The stored part of a request, from which the send can be repeated: tags and other rules of the audience, and values
 * without files.
 */
export interface StoredRecipe {
  readonly audience: Pick<Audience, 'tags' | 'segment' | 'unanswered' | 'again'>
  readonly values: PlanInput['values']
  /** Values came from columns of a file. */
  readonly hadColumns: boolean
}

/** Removes values from these sources, and tells whether there were any. */
const without = (values: PlanInput['values'], isGone: (source: ValueSource) => boolean) => {
  let hadAny = false
  const left = <T extends Partial<Record<'body' | 'header' | 'buttons', Record<string, ValueSource>>>>(of: T): T => {
    const kept = { ...of }
    for (const part of ['body', 'header', 'buttons'] as const) {
      const sources = Object.entries(kept[part] ?? {})
      const here = sources.filter(([, source]) => !isGone(source))
      if (here.length === sources.length) continue
      hadAny = true
      kept[part] = Object.fromEntries(here)
    }
    return kept
  }
  if (!values) return { values, hadAny }
  const kept = left(values)
  for (const part of ['file', 'fileName'] as const) {
    const source = kept[part]
    if (!source || !isGone(source)) continue
    hadAny = true
    delete kept[part]
  }
  const { cards } = values
  if (cards) kept.cards = Object.fromEntries(Object.entries(cards).map(([at, card]) => [at, left(card)]))
  return { values: kept, hadAny }
}

/** Pasted numbers and files are not stored twice: the send's recipients stand for them. */
export function recipeOf({ audience, values }: PlanInput, sendId: string): StoredRecipe {
  const { tags, segment, unanswered, again } = audience
  const own = audience.numbers !== undefined || audience.csv ? { send: sendId } : again
  const kept = without(values, ({ from }) => from === 'column')
  return {
    audience: {
      ...(tags ? { tags } : {}),
      ...(segment ? { segment } : {}),
      ...(unanswered ? { unanswered } : {}),
      ...(own ? { again: own } : {}),
    },
    values: kept.values,
    hadColumns: kept.hadAny,
  }
}

/** The recipe without what no longer exists. */
export function presentRecipe(
  { audience, values, hadColumns }: StoredRecipe,
  known: {
    readonly tagIds: ReadonlySet<string>
    readonly fieldIds: ReadonlySet<string>
    readonly hasSegment: boolean
  },
): Pick<BulkRecipe, 'audience' | 'values' | 'gone'> {
  const { tags, segment, ...people } = audience
  const ids = tags?.ids.filter(id => known.tagIds.has(id)) ?? []
  // With `all`, a missing tag would widen the audience.
  const isWhole = tags !== undefined && (tags.match === 'any' ? ids.length > 0 : ids.length === tags.ids.length)
  const gone: BulkRecipe['gone'] = []
  if (tags && ids.length < tags.ids.length) gone.push('tags')
  if (segment && !known.hasSegment) gone.push('segment')
  const kept = without(values, ({ from, text = '' }) => from === 'field' && !known.fieldIds.has(text))
  if (kept.hadAny) gone.push('fields')
  if (hadColumns) gone.push('columns')
  return {
    audience: {
      ...people,
      ...(isWhole ? { tags: { ids, match: tags.match } } : {}),
      ...(segment && known.hasSegment ? { segment } : {}),
    },
    ...(kept.values ? { values: kept.values } : {}),
    gone,
  }
}
