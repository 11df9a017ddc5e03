import { RemoteTrouble } from './client.ts'
import { type JsonObject, jsonObjectOf, readObjects } from './json.ts'

/** An answer that Chatwoot does not give. */
export const oddAnswer = () => new RemoteTrouble('odd')

/** The list in an answer, which is bare, or in `payload`. @throws RemoteTrouble */
export const rowsIn = (answer: unknown): JsonObject[] => {
  const rows = readObjects(answer) ?? readObjects(jsonObjectOf(answer).payload)
  if (!rows) throw oddAnswer()
  return rows
}

/** @returns undefined: Chatwoot has no such thing */
export const undefinedIfMissing = async <T>(asked: Promise<T>): Promise<T | undefined> => {
  try {
    return await asked
  } catch (error) {
    if (error instanceof RemoteTrouble && error.reason === 'missing') return undefined
    throw error
  }
}
