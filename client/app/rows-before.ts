import { numberedRows } from './paged-list.ts'

/** Pages that go on before the last row of the one before, by its id. Apart from those that every page loads. */
export const rowsBefore = {
  ...numberedRows,
  isNumbered: false,
  first: '',
  next: (last: { items: { id: string }[]; hasMore: boolean }) => (last.hasMore ? last.items.at(-1)?.id : undefined),
  query: (before: string): { before?: string } => (before ? { before } : {}),
}
