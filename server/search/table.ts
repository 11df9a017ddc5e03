export interface SearchTables {
  /** How far the messages have been read into the index: up to and including `seq`. */
  search_place: { name: 'message'; seq: number }
  /** The engine's own; an index of words without the texts. */
  message_index: { rowid: number; message_index: string }
}
