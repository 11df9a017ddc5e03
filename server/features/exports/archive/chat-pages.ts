import { archivedFilePath } from '#server/messaging/archive/format.ts'
import { listOfContacts } from '#server/messaging/conversations/shown/of-contacts.ts'
import type { MessageFacts } from '#server/messaging/events.ts'
import { readWholeThread } from '#server/messaging/messages/history/whole-thread.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { escapeHtml } from '#server/platform/text/html.ts'
import { mediaPath } from '#shared/inbox/messages.ts'
import type { Language } from '#shared/kernel/language.ts'
import { fullTime } from '#shared/kernel/time.ts'
import { chatPage } from '../chat/chat-page.ts'
import type { ChatFacts } from '../chat/chat-text.ts'
import type { ZipFile } from '../zip.ts'
import { listContacts } from './record-store.ts'
import { walk } from './walk.ts'

interface ChatPageParts {
  readonly databases: Databases
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  readTimeZone(orgId: string): Promise<string>
}

interface Wanted {
  readonly caller: OrgCaller
  readonly at: Date
  readonly onMessages: (count: number) => void
}

const messagesAtOnce = 500
const nameMaxChars = 60

/** The id makes it unique, whatever the name. */
const pageName = (name: string, id: string): string => {
  const clean = name
    .toWellFormed()
    .replace(/[^\p{L}\p{N} _-]+/gu, '')
    .trim()
    .slice(0, nameMaxChars)
  return `${clean ? `${clean}-` : ''}${id}.html`
}

/** The file beside the page, instead of the address that needs a session. */
const withFileBeside = (message: MessageFacts): MessageFacts => {
  const { media } = message
  if (!media) return message
  const [folder = '', file = ''] = archivedFilePath(media.url.slice(mediaPath('').length), media.name).split('/')
  return { ...message, media: { ...media, url: `../${folder}/${encodeURIComponent(file)}` } }
}

/** Each chat as a page to read, and a page that lists them. */
export function createChatPages({ databases, translate, readTimeZone }: ChatPageParts) {
  const { read, turn } = databases

  /** Conversations with what the pages say of them, some at once. */
  async function* chats(orgId: string) {
    const contacts = walk<Awaited<ReturnType<typeof listContacts>>[number], string>(turn, {
      first: '',
      keyOf: row => row.id,
      page: (after, limit) => listContacts(read, { orgId, after, limit }),
    })
    for await (const rows of contacts) {
      const ids = rows.map(({ id }) => id)
      yield await listOfContacts(read, orgId, ids)
    }
  }

  async function* thread({ caller, onMessages }: Wanted, conversationId: string) {
    for await (const page of readWholeThread(databases, caller, { conversationId, pageSize: messagesAtOnce })) {
      yield page.map(withFileBeside)
      onMessages(page.length)
    }
  }

  async function* list({ caller, at }: Wanted, timeZone: string): AsyncGenerator<Buffer> {
    const { language, orgId, orgName } = caller
    const made = translate(language, 'exports:chat.made', {
      org: orgName,
      at: fullTime(at.toISOString(), language, timeZone),
    })
    yield Buffer.from(
      `<!doctype html>\n<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(orgName)}</title><style>body{max-width:46rem;margin:2rem auto;padding:0 1rem;font:15px/1.6 system-ui,sans-serif;color:#1d1c1a}li{margin:2px 0}small{color:#5d5a54}</style></head><body><h1 dir="auto">${escapeHtml(orgName)}</h1><p>${escapeHtml(made)}</p><ul>\n`,
    )
    for await (const page of chats(orgId))
      yield Buffer.from(
        page
          .map(({ id, name, displayPhone }) => {
            const phone = displayPhone && displayPhone !== name ? ` <small>${escapeHtml(displayPhone)}</small>` : ''
            return `<li dir="auto"><a href="chats/${encodeURIComponent(pageName(name, id))}">${escapeHtml(name)}</a>${phone}</li>\n`
          })
          .join(''),
      )
    yield Buffer.from('</ul></body></html>\n')
  }

  return async function* chatPages(wanted: Wanted): AsyncGenerator<ZipFile> {
    const { caller, at } = wanted
    const { language, orgName: ours } = caller
    const timeZone = await readTimeZone(caller.orgId)
    const say: ChatFacts['say'] = (key, params) => translate(language, key, params)
    yield { name: 'index.html', at, isText: true, body: list(wanted, timeZone) }
    for await (const page of chats(caller.orgId))
      for (const { id, name, displayPhone } of page) {
        const facts: ChatFacts = { name, number: displayPhone, ours, timeZone, at, say, isArchived: true }
        const body = chatPage(facts, language, thread(wanted, id))
        yield { name: `chats/${pageName(name, id)}`, at, isText: true, body }
        await turn.giveWay()
      }
  }
}
