import { numberedRows } from './paged-list.ts'

/**
 * Pages that continue after the last row of the page before, by its id. A separate file, because not every page needs
 * it.
 */
export const rowsBefore = {
  ...numberedRows,
  isNumbered: false,
  first: '',
  next: (last: { items: { id: string }[]; hasMore: boolean }) => (last.hasMore ? last.items.at(-1)?.id : undefined),
  query: (before: string): { before?: string } => (before ? { before } : {}),
}
