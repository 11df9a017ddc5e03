import { addAccount } from './account.ts'
import { oddAnswer, rowsIn, undefinedIfMissing } from './answers.ts'
import type { Client } from './client.ts'
import type { Cursor, Window } from './cursor.ts'
import { idOf, type JsonObject, jsonObjectOf, readObjects, readSourceTime, readText } from './json.ts'
import { databaseTime } from './messages.ts'
import type { Rows } from './rows.ts'
import { readWindow } from './windows.ts'

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
/** Halves of halves of all ids are fewer. */
const windowsAtMost = 100
/** Chatwoot's pages have fifteen contacts. The notes of each contact take a request of their own. */
const contactsOnPage = 100
const notesAtMost = 20
const attributesMaxChars = 200_000
/** Chatwoot stores no longer label, and no server takes a longer address. */
const labelMaxChars = 5_000

/** Identifies a page, to notice one that repeats. */
const signOf = (rows: readonly JsonObject[]): string => `${idOf(rows[0]?.id) ?? ''}-${idOf(rows.at(-1)?.id) ?? ''}`

/** Some versions answer every page after the last one with the last one. */
const isEnd = (rows: readonly JsonObject[], { page, last }: { page: number; last: string }): boolean =>
  !rows.length || signOf(rows) === last || page >= pagesAtMost

/** Asks Chatwoot page by page, and adds what it says to the rows. */
export function createPages({ client, address, account, now, received, conversations }: PageParts, rows: Rows) {
  const of = `accounts/${account}`
  let titles: readonly { id: number; title: string }[] | undefined
  let waiting: readonly number[] = []

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
    const fields = await undefinedIfMissing(
      client.get(`${of}/custom_attribute_definitions?attribute_model=contact_attribute`),
    )
    addAccount(rows, account, { own, agents, inboxes, labels, fields: fields === undefined ? [] : rowsIn(fields) })
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
    if (all.length > contactsOnPage) throw oddAnswer()
    for (const one of all) {
      const id = addContact(one)
      if (id === undefined || !readText(one.phone_number)) continue
      const notes = await undefinedIfMissing(client.get(`${of}/contacts/${id}/notes`))
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

  const messages = async (cursor: Of<'messages'>): Promise<Cursor | null> => {
    const { from, to, ...listed } = cursor
    if (from !== undefined) return { ...listed, total: await conversations.list(from, to ?? received) }
    if (!waiting.some(id => id > cursor.after)) waiting = await conversations.after(cursor.after)
    const conversation = waiting.find(id => id > cursor.after)
    if (conversation === undefined) return null
    const [next, ...rest] = cursor.windows ?? [[1, idsEnd] satisfies Window]
    const left: Window[] = next
      ? [...(await readWindow({ client, address, account }, conversation, next, rows)), ...rest]
      : []
    if (left.length > windowsAtMost) throw oddAnswer()
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
