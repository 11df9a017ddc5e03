import { loadPart, MissingPart } from '#client/app/hydration/missing-part.ts'

/** So many pictures are kept; of others the page is drawn anew. */
const mostKept = 60

/** By the address of the file; null: it cannot be drawn. Browser only. */
const known = new Map<string, string | null>()
let last: Promise<unknown> = Promise.resolve()

const keep = (url: string, picture: string | null) => {
  known.set(url, picture)
  for (const [oldest, old] of known) {
    if (known.size <= mostKept) break
    known.delete(oldest)
    if (old) URL.revokeObjectURL(old)
  }
  return picture
}

/** The network's trouble, not the file's: asked again when it comes into sight anew. */
const isPassing = (error: unknown) =>
  error instanceof MissingPart || (error instanceof Error && error.name === 'ResponseException')

/** What is known of it without waiting; undefined: nothing yet. */
export const knownFirstPage = (url: string): string | null | undefined => known.get(url)

/** A picture of the first page of one of our files, once for each, one after another; null: it cannot be drawn. */
export const firstPageOf = (url: string): Promise<string | null> => {
  const drawn = last.then(async () => {
    const before = known.get(url)
    if (before !== undefined) return before
    try {
      const { drawFirstPage } = await loadPart(() => import('./pdf-picture.ts'))
      return keep(url, await drawFirstPage(url))
    } catch (error) {
      return isPassing(error) ? null : keep(url, null)
    }
  })
  last = drawn
  return drawn
}
