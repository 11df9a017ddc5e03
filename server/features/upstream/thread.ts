import { InvalidInput } from '#server/platform/http/validate.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'
import { messagesPerPage } from '#shared/kernel/limits.ts'

/** Pages that are read to find the place of a message. */
const maxPages = 20
/** Places that are remembered, so that the next page of a chat is one call. */
const maxPlaces = 5_000

interface ThreadQuery {
  readonly page?: number
  readonly before?: string
  readonly after?: string
  readonly around?: string
  readonly since?: string
}

/** Reads page `page` of a thread, the first the newest; within it, oldest first. */
type ReadPage = (page: number) => Promise<MessagePage>

const refuse = (field: string) => new InvalidInput([{ field: `query.${field}`, code: 'invalid', params: {} }])

/** Older than the first of `items` or at the same time; `until`: absent, now. */
interface Stretch extends MessagePage {
  /** Messages begin after this moment, and end before the other; ISO 8601. Absent: no limit. */
  readonly from?: string
  readonly until?: string
}

/**
 * Answers the positions of a thread that our pages ask for, by an upstream that knows numbered pages only. Which page
 * began with a message is remembered; when it is not, pages are read from the newest on.
 */
export function createThreads() {
  const places = new Map<string, number>()

  const remember = (chat: string, page: MessagePage, number: number) => {
    const [oldest] = page.items
    if (!oldest) return
    const key = `${chat} ${oldest.id}`
    places.delete(key)
    places.set(key, number)
    if (places.size > maxPlaces) places.delete(places.keys().next().value as string)
  }

  /** The first page, from `start` on, that satisfies `has`. New messages push older ones to later pages, never back. */
  const seek = async (chat: string, read: ReadPage, start: number, has: (page: MessagePage) => boolean) => {
    for (let number = start; number < start + maxPages; number += 1) {
      const page = await read(number)
      remember(chat, page, number)
      if (has(page)) return { page, number }
      if (!page.hasMore) return undefined
    }
    return undefined
  }

  const find = async (chat: string, read: ReadPage, id: string, field: string) => {
    const has = (page: MessagePage) => page.items.some(message => message.id === id)
    const start = places.get(`${chat} ${id}`) ?? 1
    const found = (await seek(chat, read, start, has)) ?? (start > 1 ? await seek(chat, read, 1, has) : undefined)
    if (!found) throw refuse(field)
    return { ...found, at: found.page.items.findIndex(message => message.id === id) }
  }

  const stretchOf = (page: MessagePage, items: readonly Message[], until?: string): Stretch => ({
    ...page,
    items: [...items],
    page: 1,
    pageSize: messagesPerPage,
    ...(page.hasMore && items[0] ? { from: items[0].at } : {}),
    ...(until === undefined ? {} : { until }),
  })

  const before = async (chat: string, read: ReadPage, id: string): Promise<Stretch> => {
    const { page, number, at } = await find(chat, read, id, 'before')
    const until = page.items[at]?.at
    if (at > 0) return stretchOf(page, page.items.slice(0, at), until)
    if (!page.hasMore) return stretchOf(page, [], until)
    const next = await read(number + 1)
    remember(chat, next, number + 1)
    return stretchOf(next, next.items, until)
  }

  const after = async (chat: string, read: ReadPage, id: string): Promise<Stretch> => {
    const { page, number, at } = await find(chat, read, id, 'after')
    const newer = page.items.slice(at + 1)
    const source = newer.length || number === 1 ? { page, items: newer, number } : await newerPage(read, number)
    const { page: from, items, number: shown } = source
    const first = items[0]?.at
    return {
      ...stretchOf(from, items),
      ...(first === undefined ? {} : { from: first }),
      hasMore: true,
      hasNewer: shown > 1,
      ...(shown > 1 && items.at(-1) ? { until: items.at(-1)?.at as string } : {}),
    }
  }
  const newerPage = async (read: ReadPage, number: number) => {
    const page = await read(number - 1)
    return { page, items: page.items, number: number - 1 }
  }

  const at = ({ page, number }: { page: MessagePage; number: number }): Stretch => {
    const last = page.items.at(-1)?.at
    return {
      ...stretchOf(page, page.items),
      hasNewer: number > 1,
      ...(number > 1 && last !== undefined ? { until: last } : {}),
    }
  }

  return {
    /**
     * @param chat identifies the thread across organizations
     * @throws InvalidInput for a message that is not among the newest thousand, and for two positions at once
     */
    async read(chat: string, query: ThreadQuery, read: ReadPage): Promise<Stretch> {
      const [name, other] = (['before', 'after', 'around', 'since'] as const).filter(one => query[one])
      if (other) throw refuse(other)
      const place = name && (query[name] as string)
      if (name === 'before') return before(chat, read, place as string)
      if (name === 'after') return after(chat, read, place as string)
      if (name === 'around') return at(await find(chat, read, place as string, name))
      if (name === 'since') {
        const found = await seek(chat, read, 1, page => !page.hasMore || (page.items[0]?.at ?? '') <= (place as string))
        if (!found) throw refuse(name)
        return at(found)
      }
      const number = query.page ?? 1
      const page = await read(number)
      remember(chat, page, number)
      return { ...stretchOf(page, page.items), page: number }
    },
  }
}

export type { Stretch }
