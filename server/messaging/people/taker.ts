import type { ListRow } from '../conversations/list-row-store.ts'

/** Fields of a conversation that is assigned, or that no known member answers. */
export const noTaker = { taken_by: null, taker_name: null } as const

/** Records which member answered. Undefined: unknown. Shown while the conversation is unassigned. */
export function assignTaker(row: ListRow, person: { readonly id: string; readonly name: string } | undefined): void {
  row.taken_by = person?.id ?? null
  row.taker_name = row.assignee_id === null ? (person?.name ?? null) : null
}
