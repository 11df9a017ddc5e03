import { type Client, RemoteTrouble } from './client.ts'
import type { Cursor, Window } from './cursor.ts'
import { idOf, type JsonObject, jsonObjectOf, readObjects, readSourceTime, readText } from './json.ts'
import { addMessages, databaseTime } from './messages.ts'
import type { Rows } from './rows.ts'

interface PageParts {
  readonly client: Client
  readonly address: string
  readonly account: string
  /** The current time in milliseconds. */
  readonly now: number
  /** Bytes that were fetched so far. */
  readonly received: number
  readonly conversations: Conversations
}

/** The conversations whose messages are asked, each once, by their ids. */
export interface Conversations {
  /** Lists those whose rows lie in this part of what was fetched. Returns how many there are. */
  list(from: number, to: number): Promise<number>
  /** The next ones, in the order of their ids. */
  after(id: number): Promise<readonly number[]>
}
type Of<P extends Cursor['phase']> = Extract<Cursor, { phase: P }>

/** More than an account has. */
const pagesAtMost = 100_000
/** Ids of messages are below it. */
const idsEnd = 2 ** 31
/** The most rows that Chatwoot returns for a range of ids. */
const rangeSize = 1_000
/** The page sizes of versions without ranges: the last ones before an id, or the first ones after one. */
const formerSizes = [20, 100]
/** Halves of halves of all ids are fewer. */
const windowsAtMost = 100
/** Chatwoot says fifteen, and their notes are asked one by one. */
const contactsOnPage = 100
const notesAtMost = 20
const attributesMaxChars = 200_000
/** Longer ones than Chatwoot stores, which no server takes in an address. */
const labelMaxChars = 5_000

const odd = () => new RemoteTrouble('odd')

/** The list in an answer, which is bare, or in `payload`. @throws RemoteTrouble */
const rowsIn = (answer: unknown): JsonObject[] => {
  const rows = readObjects(answer) ?? readObjects(jsonObjectOf(answer).payload)
  if (!rows) throw odd()
  return rows
}

/** Identifies a page, to notice one that repeats. */
const signOf = (rows: readonly JsonObject[]): string => `${idOf(rows[0]?.id) ?? ''}-${idOf(rows.at(-1)?.id) ?? ''}`

/** Some versions say the last page again and again. */
const isEnd = (rows: readonly JsonObject[], { page, last }: { page: number; last: string }): boolean =>
  !rows.length || signOf(rows) === last || page >= pagesAtMost

/** Asks Chatwoot page by page, and adds what it says to the rows. */
export function createPages({ client, address, account, now, received, conversations }: PageParts, rows: Rows) {
  const of = `accounts/${account}`
  let titles: readonly { id: number; title: string }[] | undefined
  let waiting: readonly number[] = []

  /** @returns undefined: Chatwoot has no such thing */
  const optional = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await asked
    } catch (error) {
      if (error instanceof RemoteTrouble && error.reason === 'missing') return undefined
      throw error
    }
  }

  const readLabels = async () => {
    const all = rowsIn(await client.get(`${of}/labels`))
    titles = all.flatMap(one => {
      const [id, title] = [idOf(one.id), readText(one.title)]
      return id !== undefined && title ? [{ id, title }] : []
    })
    return all
  }

  const head = async (): Promise<Cursor> => {
    const own = jsonObjectOf(await client.get(of))
    const agents = rowsIn(await client.get(`${of}/agents`))
    const inboxes = rowsIn(await client.get(`${of}/inboxes`))
    const labels = await readLabels()
    const fields = await optional(client.get(`${of}/custom_attribute_definitions?attribute_model=contact_attribute`))
    for (const table of ['inboxes', 'contacts', 'conversations', 'messages'] as const) rows.declare(table)
    rows.add('accounts', { id: account, name: own.name, created_at: own.created_at })
    for (const { id, name, available_name, email } of agents) {
      rows.add('users', { id, name, display_name: available_name, email })
      rows.add('account_users', { id, account_id: account, user_id: id })
    }
    for (const { id, name, channel_type, phone_number, medium } of inboxes) {
      rows.add('inboxes', { id, account_id: account, name, channel_type, channel_id: id })
      if (channel_type === 'Channel::Whatsapp') rows.add('channel_whatsapp', { id, phone_number })
      if (channel_type === 'Channel::TwilioSms') rows.add('channel_twilio_sms', { id, phone_number, medium })
    }
    for (const { id, title, color } of labels) {
      rows.add('labels', { id, account_id: account, title, color })
      rows.add('tags', { id, name: title })
    }
    for (const { id, attribute_key, attribute_display_name } of fields === undefined ? [] : rowsIn(fields))
      rows.add('custom_attribute_definitions', {
        id,
        account_id: account,
        attribute_key,
        attribute_display_name,
        attribute_model: 1,
      })
    return { phase: 'contacts', page: 1, last: '' }
  }

  const addContact = (one: JsonObject): number | undefined => {
    const id = idOf(one.id)
    if (id === undefined) return undefined
    const attributes = JSON.stringify(jsonObjectOf(one.custom_attributes))
    const { name, last_name, email, phone_number, identifier, blocked } = one
    rows.add('contacts', {
      id,
      account_id: account,
      name,
      last_name,
      email,
      phone_number,
      identifier,
      blocked,
      custom_attributes: attributes.length > attributesMaxChars ? '{}' : attributes,
      updated_at: databaseTime(readSourceTime(one.updated_at) ?? readSourceTime(one.last_activity_at) ?? now),
    })
    for (const { source_id } of readObjects(one.contact_inboxes) ?? [])
      rows.add('contact_inboxes', { contact_id: id, source_id })
    return id
  }

  const contacts = async ({ page, last }: Of<'contacts'>): Promise<Cursor> => {
    const all = rowsIn(await client.get(`${of}/contacts?include_contact_inboxes=true&sort=created_at&page=${page}`))
    if (isEnd(all, { page, last })) return { phase: 'labels', label: 0, page: 1, last: '' }
    if (all.length > contactsOnPage) throw odd()
    for (const one of all) {
      const id = addContact(one)
      if (id === undefined || !readText(one.phone_number)) continue
      const notes = await optional(client.get(`${of}/contacts/${id}/notes`))
      const texts = notes === undefined ? [] : rowsIn(notes)
      texts.sort((a, b) => (idOf(a.id) ?? 0) - (idOf(b.id) ?? 0))
      for (const { content } of texts.slice(-notesAtMost)) rows.add('notes', { contact_id: id, content })
    }
    return { phase: 'contacts', page: page + 1, last: signOf(all) }
  }

  const labels = async ({ label, page, last }: Of<'labels'>): Promise<Cursor> => {
    if (!titles) await readLabels()
    const tag = titles?.[label]
    if (!tag) return { phase: 'conversations', page: 1, last: '', total: 0, from: 0 }
    const title = encodeURIComponent(tag.title.toWellFormed())
    if (title.length > labelMaxChars) return { phase: 'labels', label: label + 1, page: 1, last: '' }
    const asked = `labels[]=${title}&include_contact_inboxes=false&sort=created_at&page=${page}`
    const all = rowsIn(await client.get(`${of}/contacts?${asked}`))
    if (isEnd(all, { page, last })) return { phase: 'labels', label: label + 1, page: 1, last: '' }
    for (const { id } of all) rows.add('taggings', { taggable_type: 'Contact', taggable_id: id, tag_id: tag.id })
    return { phase: 'labels', label, page: page + 1, last: signOf(all) }
  }

  const conversationPage = async ({ page, last, total, from }: Of<'conversations'>): Promise<Cursor> => {
    // What is oldest first does not move while it is read.
    const asked = `status=all&assignee_type=all&sort_by=created_at_asc&page=${page}`
    const { data, ...bare } = jsonObjectOf(await client.get(`${of}/conversations?${asked}`))
    const all = rowsIn(data ?? bare)
    const begun = page === 1 ? received : from
    if (isEnd(all, { page, last })) return { phase: 'messages', from: begun, to: null, after: 0, done: 0, total }
    for (const { id, inbox_id, meta, labels } of all) {
      const contact = addContact(jsonObjectOf(jsonObjectOf(meta).sender))
      const list = (Array.isArray(labels) ? labels : []).flatMap(label => readText(label) ?? []).join(',')
      if (contact !== undefined)
        rows.add('conversations', { id, account_id: account, contact_id: contact, inbox_id, cached_label_list: list })
    }
    const said = idOf(jsonObjectOf(jsonObjectOf(data).meta).all_count) ?? total
    return { phase: 'conversations', page: page + 1, last: signOf(all), total: said, from: begun }
  }

  /** Messages of one range of ids, and which ranges are left. */
  const windowOf = async (conversation: number, [from, to, isSmall]: Window): Promise<Window[]> => {
    const path = `${of}/conversations/${conversation}/messages?${isSmall ? '' : `after=${from - 1}&`}before=${to}`
    let all: JsonObject[]
    try {
      all = rowsIn(await client.get(path))
    } catch (error) {
      if (!(error instanceof RemoteTrouble)) throw error
      // It was deleted since.
      if (error.reason === 'missing') return []
      if (error.reason === 'tooLarge' && !isSmall) return [[from, to, true]]
      throw error.reason === 'tooLarge' ? odd() : error
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

  const messages = async (cursor: Of<'messages'>): Promise<Cursor | null> => {
    const { from, to, ...listed } = cursor
    if (from !== undefined) return { ...listed, total: await conversations.list(from, to ?? received) }
    if (!waiting.some(id => id > cursor.after)) waiting = await conversations.after(cursor.after)
    const conversation = waiting.find(id => id > cursor.after)
    if (conversation === undefined) return null
    const [next, ...rest] = cursor.windows ?? [[1, idsEnd] satisfies Window]
    const left: Window[] = next ? [...(await windowOf(conversation, next)), ...rest] : []
    if (left.length > windowsAtMost) throw odd()
    const { windows: _windows, ...place } = cursor
    if (left.length) return { ...place, windows: left }
    return { ...place, after: conversation, done: cursor.done + 1 }
  }

  /** Asks for one page. Returns what comes next; null: that was everything. @throws RemoteTrouble */
  return (cursor: Cursor): Promise<Cursor | null> => {
    switch (cursor.phase) {
      case 'head':
        return head()
      case 'contacts':
        return contacts(cursor)
      case 'labels':
        return labels(cursor)
      case 'conversations':
        return conversationPage(cursor)
      case 'messages':
        return messages(cursor)
    }
  }
}
