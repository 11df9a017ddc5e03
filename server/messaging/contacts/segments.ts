/** Saved segments of contacts, for features that address contacts by them. */
export {
  deleteSegment,
  findSegment,
  insertSegment,
  listSegments,
  meetsSegment,
  wroteSinceOf,
} from './segment-store.ts'
