export interface ReadyAnswerTable {
  id: string
  org_id: string
  /** A person, or a key: whose it is while it is not shared. */
  author_id: string
  /** 0/1 */
  shared: number
  shortcut: string
  title: string
  text: string
}

export interface ReadyAnswerTables {
  ready_answer: ReadyAnswerTable
}
