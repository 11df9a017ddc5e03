import { asObject, asText, type Json } from '../scalars.ts'

const types = ['image', 'video', 'document'] as const

type Replace = (id: string) => Promise<string>

/** A header with another id for its file. */
const withId = async (header: Json, replace: Replace): Promise<Json> => {
  for (const type of types) {
    const file = asObject(header[type])
    const id = asText(file?.id)
    if (header.type === type && id !== undefined) return { ...header, [type]: { ...file, id: await replace(id) } }
  }
  return header
}

const headed = async (part: Json, replace: Replace): Promise<Json> => {
  const header = asObject(part.header)
  return header ? { ...part, header: await withId(header, replace) } : part
}

/** An interactive message with other ids for the files of its headers, those of its cards included. */
export async function withHeaderMedia(interactive: Json, replace: Replace): Promise<Json> {
  const whole = await headed(interactive, replace)
  const action = asObject(whole.action)
  if (!Array.isArray(action?.cards)) return whole
  const cards: unknown[] = []
  for (const card of action.cards) cards.push(asObject(card) ? await headed(card as Json, replace) : card)
  return { ...whole, action: { ...action, cards } }
}
