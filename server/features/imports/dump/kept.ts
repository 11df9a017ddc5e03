import { ImportStopped } from '../work/stopped.ts'

/** Rows of one kind that are held in memory: more than an installation that lives has. */
export const keptAtMost = 20_000
/** Contacts and chats of one dump; the survey allows half as many to be imported. */
const namedAtMost = 1_000_000
/** The length of a record's id. */
const idMaxChars = 100
const textMaxChars = 500

/** A part of a text would hold the whole text in memory. */
const ownCopy = <V>(value: V): V =>
  JSON.parse(JSON.stringify(value, (_name, one) => (typeof one === 'string' ? one.slice(0, textMaxChars) : one)))

/** @throws ImportStopped */
export const requireRoom = ({ size }: { readonly size: number }, most = keptAtMost): void => {
  if (size >= most) throw new ImportStopped('zipSize')
}

/** Keeps the short texts of a row by its id. @throws ImportStopped where there are too many */
export const keep = <V>(map: Map<string, V>, id: string, value: V): void => {
  if (id.length > idMaxChars) return
  if (!map.has(id)) requireRoom(map)
  map.set(id, typeof value === 'object' && !(value instanceof Set) ? ownCopy(value) : value)
}

/** @throws ImportStopped where there are too many */
export const keepId = (ids: Set<string>, id: string, most = namedAtMost): void => {
  if (id.length > 2 * idMaxChars) return
  if (!ids.has(id)) requireRoom(ids, most)
  ids.add(id)
}
