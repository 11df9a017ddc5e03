import type { ChatImport } from '#shared/imports/api.ts'
import { importUndoDays } from '#shared/imports/limits.ts'
import { fetchProgress } from './chatwoot/api/cursor.ts'
import { reasonsOf } from './refused.ts'
import type { ListedImport } from './store.ts'
import type { StoredState } from './table.ts'
import { isFetched } from './work/fetched.ts'

const undoMs = importUndoDays * 86_400_000

const uploadPath = (id: string): string => `/api/imports/${id}/file`

export const shownState = (state: Exclude<StoredState, 'discarding'>): ChatImport['state'] =>
  state === 'undoing' ? 'running' : state

type Brought = Pick<ListedImport, 'place' | 'conversation_id'>
export const broughtNothing = ({ place, conversation_id: id }: Brought): boolean => place === 0 && id === null

/** Until when it can be undone; null: nothing came in, or it is undone. */
export const undoUntilOf = (one: ListedImport) => {
  if (broughtNothing(one) || !['done', 'paused', 'failed'].includes(one.state)) return null
  return new Date(Date.parse(one.ended_at ?? one.created_at) + undoMs).toISOString()
}

/** It failed before anything came in, by an error here, and its file is still there. */
export const canRetry = (one: ListedImport): boolean =>
  one.state === 'failed' &&
  one.failure !== null &&
  ['broken', 'storage'].includes(one.failure) &&
  broughtNothing(one) &&
  isFetched(one)

const busy: readonly StoredState[] = ['running', 'undoing', 'discarding']

/** No job works on it, and nothing that it added can still be undone. @param now ISO 8601 */
export const isDiscardable = (one: ListedImport, now: string): boolean => {
  const undoUntil = undoUntilOf(one)
  return !busy.includes(one.state) && (undoUntil === null || undoUntil < now)
}

/** @param now ISO 8601 */
export const presentImport = (one: ListedImport, now: string): ChatImport => {
  if (one.state === 'discarding') throw new Error('An import that is being deleted is not shown')
  const { connectionId: _id, numbers, ...rest } = one.mapping
  const mapping = { ...rest, ...(numbers ? { numbers: numbers.map(({ from, to }) => ({ from, to })) } : {}) }
  return {
    id: one.id,
    source: one.source,
    fileName: one.file_name,
    state: shownState(one.state),
    ...(one.state === 'undoing' ? { undoing: true as const } : {}),
    failure: one.failure,
    address: one.remote?.address ?? null,
    ...(isFetched(one) ? {} : { fetching: fetchProgress(one.remote?.cursor ?? null) }),
    uploadUrl: uploadPath(one.id),
    size: one.size,
    received: one.received,
    mapping,
    found: one.found,
    taken: one.taken,
    refused: one.refused.count,
    reasons: reasonsOf(one.refused),
    progress: { done: one.taken.messages + one.taken.existing, total: one.found?.messages ?? 0 },
    chat: one.conversation_id,
    author: one.author_name,
    createdAt: one.created_at,
    endedAt: one.ended_at,
    undoUntil: undoUntilOf(one),
    canRetry: canRetry(one),
    isDiscardable: isDiscardable(one, now),
  }
}
