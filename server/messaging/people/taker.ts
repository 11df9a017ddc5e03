import type { ListRow } from '../conversations/list-row-store.ts'

/** What a row has where it is known whose it is, or where nobody is known to answer. */
export const noTaker = { taken_by: null, taker_name: null } as const

/** Somebody of ours answered; undefined: nobody who can be named. Says whose a conversation is as long as it is assigned to nobody. */
export function noteTaker(row: ListRow, person: { readonly id: string; readonly name: string } | undefined): void {
  row.taken_by = person?.id ?? null
  row.taker_name = row.assignee_id === null ? (person?.name ?? null) : null
}
