/** A page of rows. `hasMore`: another one follows. */
export interface Page<Row> {
  rows: Row[]
  hasMore: boolean
}

/** Makes a page from rows of which one more than the page size was read. */
export const cut = <Row>(rows: Row[], pageSize: number): Page<Row> =>
  rows.length > pageSize ? { rows: rows.slice(0, pageSize), hasMore: true } : { rows, hasMore: false }
