import { loadPart, MissingPart } from '#client/app/hydration/missing-part.ts'

/** Cached images. Others are rendered again. */
const maxKept = 60

/** The first pages by the file's address. Null: it cannot be rendered. Browser only. */
const known = new Map<string, string | null>()
let last: Promise<unknown> = Promise.resolve()

const keep = (url: string, picture: string | null) => {
  known.set(url, picture)
  for (const [oldest, old] of known) {
    if (known.size <= maxKept) break
    known.delete(oldest)
    if (old) URL.revokeObjectURL(old)
  }
  return picture
}

/** A network failure, not the file's fault: retried when it becomes visible again. */
const isPassing = (error: unknown) =>
  error instanceof MissingPart || (error instanceof Error && error.name === 'ResponseException')

/** The cached result. Undefined: none yet. */
export const knownFirstPage = (url: string): string | null | undefined => known.get(url)

/** An image of a file's first page, once per file, one after another. Null: it cannot be rendered. */
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
