/** A range of ids of messages; the end is not in it. `isSmall`: only a few are asked at once. */
export type Window = readonly [from: number, to: number, isSmall?: boolean]

/** The next request to Chatwoot. `page`: from 1. `last`: identifies the page before, to notice one that repeats. */
export type Cursor =
  | { readonly phase: 'head' }
  | { readonly phase: 'contacts'; readonly page: number; readonly last: string }
  | { readonly phase: 'labels'; readonly label: number; readonly page: number; readonly last: string }
  | {
      readonly phase: 'conversations'
      readonly page: number
      readonly last: string
      readonly total: number
      /** The position of its rows in the received data. */
      readonly from: number
    }
  | {
      readonly phase: 'messages'
      /**
       * The position of the conversations' rows in the received data. Absent: their ids are listed. `to` null: up to
       * the end.
       */
      readonly from?: number
      readonly to?: number | null
      /** The last conversation that is done. */
      readonly after: number
      /** The windows of the next conversation that are still to be requested. Absent: all. */
      readonly windows?: readonly Window[]
      readonly done: number
      readonly total: number
    }

/** Counts conversations, those that came and all. */
export const fetchProgress = (cursor: Cursor | null): { done: number; total: number } | undefined => {
  if (!cursor) return undefined
  if (cursor.phase === 'messages') return { done: cursor.done, total: cursor.total }
  return { done: 0, total: cursor.phase === 'conversations' ? cursor.total : 0 }
}
