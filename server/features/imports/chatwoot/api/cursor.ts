/** A range of ids of messages; the end is not in it. `isSmall`: only a few are asked at once. */
export type Window = readonly [from: number, to: number, isSmall?: boolean]

/** What is asked of Chatwoot next. `page`: from 1. `last`: what the page before told, to see one that repeats. */
export type Cursor =
  | { readonly phase: 'head' }
  | { readonly phase: 'contacts'; readonly page: number; readonly last: string }
  | { readonly phase: 'labels'; readonly label: number; readonly page: number; readonly last: string }
  | {
      readonly phase: 'conversations'
      readonly page: number
      readonly last: string
      readonly total: number
      /** Where its rows begin in what was fetched. */
      readonly from: number
    }
  | {
      readonly phase: 'messages'
      /** Where the rows of conversations lie in what was fetched; absent: their ids are listed. `to`: null, at its end. */
      readonly from?: number
      readonly to?: number | null
      /** The last conversation that is done. */
      readonly after: number
      /** Of the next one, what is still to ask; absent: everything. */
      readonly windows?: readonly Window[]
      readonly done: number
      readonly total: number
    }

/** How many conversations came, of how many. */
export const progressOf = (cursor: Cursor | null): { done: number; total: number } | undefined => {
  if (!cursor) return undefined
  if (cursor.phase === 'messages') return { done: cursor.done, total: cursor.total }
  return { done: 0, total: cursor.phase === 'conversations' ? cursor.total : 0 }
}
