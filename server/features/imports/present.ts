import { type ChatImport, importUndoDays } from '#shared/imports/api.ts'
import type { StoredImport } from './store.ts'
import type { StoredState } from './table.ts'

const undoMs = importUndoDays * 86_400_000

const uploadPath = (id: string): string => `/api/imports/${id}/file`

export const shownState = (state: StoredState): ChatImport['state'] => (state === 'undoing' ? 'running' : state)

/** Until when it can be undone; null: nothing came in, or it is undone. */
export const undoUntilOf = ({ state, place, conversation_id: id, ended_at: at, created_at: made }: StoredImport) => {
  if ((place === 0 && id === null) || !['done', 'paused', 'failed'].includes(state)) return null
  return new Date(Date.parse(at ?? made) + undoMs).toISOString()
}

export const presentImport = (one: StoredImport): ChatImport => {
  const { connectionId: _id, numbers, ...rest } = one.mapping
  const mapping = { ...rest, ...(numbers ? { numbers: numbers.map(({ from, to }) => ({ from, to })) } : {}) }
  return {
    id: one.id,
    source: one.source,
    fileName: one.file_name,
    state: shownState(one.state),
    ...(one.state === 'undoing' ? { undoing: true as const } : {}),
    failure: one.failure,
    uploadUrl: uploadPath(one.id),
    size: one.size,
    received: one.received,
    mapping,
    found: one.found,
    taken: one.taken,
    refused: one.refused.count,
    progress: { done: one.taken.messages + one.taken.existing, total: one.found?.messages ?? 0 },
    chat: one.conversation_id,
    author: one.author_name,
    createdAt: one.created_at,
    endedAt: one.ended_at,
    undoUntil: undoUntilOf(one),
  }
}
