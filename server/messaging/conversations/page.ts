/** A page's rows; `hasMore` says whether another follows. */
export interface Page<Row> {
  rows: Row[]
  hasMore: boolean
}

/** A page out of rows of which one more was read than belongs to it. */
export const cut = <Row>(rows: Row[], pageSize: number): Page<Row> =>
  rows.length > pageSize ? { rows: rows.slice(0, pageSize), hasMore: true } : { rows, hasMore: false }
