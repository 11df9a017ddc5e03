import type { Readable } from 'node:stream'
import { requireChat } from '#server/messaging/conversations/chat.ts'
import { presentConversation } from '#server/messaging/conversations/shown/present.ts'
import { readWholeThread } from '#server/messaging/messages/history/whole-thread.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { ChatFormat, chatExportApi } from '#shared/exports/chat.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { Downloads } from '../downloads.ts'
import { exportErrors } from '../errors.ts'
import { createTickets } from '../tickets.ts'
import { chatPage } from './chat-page.ts'
import { type ChatFacts, chatText } from './chat-text.ts'

interface ChatExportParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly vault: Vault
  readonly downloads: Downloads
  readTimeZone(orgId: string): Promise<string>
  translate(language: Language, key: string, params?: Record<string, string | number>): string
  /** For tests. */
  readonly messagesAtOnce?: number
}

interface ChatTicket {
  /** The conversation's id. */
  readonly chat: string
  readonly format: ChatFormat
}

interface ChatFile {
  readonly format: ChatFormat
  /** The file's name without its ending. */
  readonly name: string
  readonly body: Readable
}

export const chatExportPath = '/api/whatsapp/chat-export/file'

/** One chat as a file, made while it is downloaded. A call prepares it and is audited, as for the whole archive. */
export function createChatExports(parts: ChatExportParts) {
  const { databases, clock, vault, downloads, translate, messagesAtOnce: pageSize = 200 } = parts
  const { read } = databases
  const tickets = createTickets<ChatTicket>({ clock, vault, context: 'chat export' })
  /** One at a time for each person. */
  const ownerOf = ({ orgId, userId }: Member) => `${orgId} ${userId}`

  const service: ServiceOf<typeof chatExportApi, Member> = {
    /** @throws INBOX_CHAT_NOT_FOUND, EXPORTS_NOT_WHILE_IMPERSONATING, EXPORTS_UNDER_WAY */
    async prepare(caller, { params, body }) {
      const row = await requireChat(read, caller, params.phone)
      const ticket = tickets.issue(caller, { chat: row.id, format: body.format })
      if (downloads.isUnderWay(ownerOf(caller))) throw exportErrors.UNDER_WAY()
      return { url: `${chatExportPath}?ticket=${ticket}` }
    },
  }

  return {
    service,

    /** Reads a ticket that this person may use. @throws EXPORTS_TICKET_INVALID */
    openTicket: (encrypted: string, person: Person) => tickets.open(encrypted, person),

    /** The file of a chat that the caller still sees. @throws INBOX_CHAT_NOT_FOUND, EXPORTS_UNDER_WAY */
    async open(caller: Member, { chat, format }: ChatTicket): Promise<ChatFile> {
      const row = await requireChat(read, caller, chat)
      const { name, displayPhone } = presentConversation(row)
      const { language } = caller
      const facts: ChatFacts = {
        name,
        number: displayPhone,
        ours: caller.orgName,
        timeZone: await parts.readTimeZone(caller.orgId),
        at: clock.now(),
        say: (key, params) => translate(language, key, params),
      }
      const messages = readWholeThread(databases, caller, { conversationId: row.id, pageSize })
      const pieces = format === 'text' ? chatText(facts, messages) : chatPage(facts, language, messages)
      return {
        format,
        name: translate(language, 'exports:chat.fileName', { name }),
        body: downloads.open(ownerOf(caller), caller.orgId, pieces),
      }
    },
  }
}

export type ChatExports = ReturnType<typeof createChatExports>
