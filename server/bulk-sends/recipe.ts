import type { Audience, BulkRecipe, PlanInput } from '#shared/bulk-sends.ts'

/** What is kept of a request for whoever repeats the send: whom it names by tags and the like, and values without files. */
export interface StoredRecipe {
  readonly audience: Pick<Audience, 'tags' | 'segment' | 'unanswered' | 'again'>
  readonly values: PlanInput['values']
  /** Values came from columns of a file. */
  readonly hadColumns: boolean
}

type Sources = NonNullable<NonNullable<PlanInput['values']>['body']>

const isOfFile = ({ from }: Sources[string]): boolean => from === 'column'
const withoutColumns = (sources: Sources | undefined) =>
  sources && Object.fromEntries(Object.entries(sources).filter(([, source]) => !isOfFile(source)))

/** Pasted numbers and files are not kept a second time: the send's own people stand for them. */
export function recipeOf({ audience, values }: PlanInput, sendId: string): StoredRecipe {
  const { tags, segment, unanswered, again } = audience
  const own = audience.numbers !== undefined || audience.csv ? { send: sendId } : again
  const { body, header, buttons, ...rest } = values ?? {}
  return {
    audience: {
      ...(tags ? { tags } : {}),
      ...(segment ? { segment } : {}),
      ...(unanswered ? { unanswered } : {}),
      ...(own ? { again: own } : {}),
    },
    values: values && {
      ...rest,
      ...(body ? { body: withoutColumns(body) } : {}),
      ...(header ? { header: withoutColumns(header) } : {}),
      ...(buttons ? { buttons: withoutColumns(buttons) } : {}),
    },
    hadColumns: [body, header, buttons].some(sources => Object.values(sources ?? {}).some(isOfFile)),
  }
}

/** Without what is not there any more. */
export function presentRecipe(
  { audience, values, hadColumns }: StoredRecipe,
  known: { readonly tagIds: ReadonlySet<string>; readonly hasSegment: boolean },
): Pick<BulkRecipe, 'audience' | 'values' | 'gone'> {
  const { tags, segment, ...people } = audience
  const ids = tags?.ids.filter(id => known.tagIds.has(id)) ?? []
  // All of several means somebody else without one of them.
  const isWhole = tags !== undefined && (tags.match === 'any' ? ids.length > 0 : ids.length === tags.ids.length)
  const gone: BulkRecipe['gone'] = []
  if (tags && ids.length < tags.ids.length) gone.push('tags')
  if (segment && !known.hasSegment) gone.push('segment')
  if (hadColumns) gone.push('columns')
  return {
    audience: {
      ...people,
      ...(isWhole ? { tags: { ids, match: tags.match } } : {}),
      ...(segment && known.hasSegment ? { segment } : {}),
    },
    ...(values ? { values } : {}),
    gone,
  }
}
