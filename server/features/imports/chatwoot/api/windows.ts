import { oddAnswer, rowsIn } from './answers.ts'
import { type Client, RemoteTrouble } from './client.ts'
import type { Window } from './cursor.ts'
import { idOf, type JsonObject } from './json.ts'
import { addMessages } from './messages.ts'
import type { Rows } from './rows.ts'

interface WindowParts {
  readonly client: Client
  readonly address: string
  readonly account: string
}

/** The most rows that Chatwoot returns for a range of ids. */
const rangeSize = 1_000
/** The page sizes of versions without ranges: the last ones before an id, or the first ones after one. */
const formerSizes = [20, 100]

/**
 * Reads the messages of a conversation in one range of ids, and adds them to the rows. Returns the ranges that are left.
 * @throws RemoteTrouble
 */
export async function readWindow(
  { client, account, address }: WindowParts,
  conversation: number,
  [from, to, isSmall]: Window,
  rows: Rows,
): Promise<Window[]> {
  const path = `accounts/${account}/conversations/${conversation}/messages?${isSmall ? '' : `after=${from - 1}&`}before=${to}`
  let all: JsonObject[]
  try {
    all = rowsIn(await client.get(path))
  } catch (error) {
    if (!(error instanceof RemoteTrouble)) throw error
    // It was deleted since.
    if (error.reason === 'missing') return []
    if (error.reason === 'tooLarge' && !isSmall) return [[from, to, true]]
    throw error.reason === 'tooLarge' ? oddAnswer() : error
  }
  const within = all.flatMap(one => {
    const id = idOf(one.id)
    return id !== undefined && id >= from && id < to ? [{ id, one }] : []
  })
  const ids = within.map(({ id }) => id).sort((a, b) => a - b)
  const [first, middle, last] = [ids[0], ids[ids.length >> 1], ids.at(-1)]
  if (first === undefined || middle === undefined || last === undefined) return []
  // There are more: they are asked again, in two parts.
  if (!isSmall && all.length >= rangeSize && middle > from)
    return [
      [from, middle],
      [middle, to],
    ]
  addMessages(
    rows,
    within.map(({ one }) => one),
    { account, conversation, base: address },
  )
  const around: Window[] = isSmall
    ? [[from, first, true]]
    : [
        [from, first],
        [last + 1, to],
      ]
  return formerSizes.includes(all.length) ? around.filter(([start, end]) => start < end) : []
}
