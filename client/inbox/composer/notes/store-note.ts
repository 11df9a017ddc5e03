import type { QueryClient } from '@tanstack/react-query'
import { apiOf } from '#client/app/queries/queries.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { maxMentions } from '#shared/kernel/limits.ts'
import { mentionableQuery, mentionsIn } from './mentions-in.ts'

interface Draft {
  readonly org: string
  readonly phone: string
  readonly text: string
  /** Absent: a new note. */
  readonly noteId?: string
}

/** Stores a note and mentions the people it names. With the same key, a new note is stored once. */
export async function storeNote(client: QueryClient, draft: Draft, idempotencyKey: string): Promise<Message> {
  const { org, phone, text, noteId } = draft
  const people = text.includes('@') ? (await client.fetchQuery(mentionableQuery(org, phone))).items : []
  const mentions = mentionsIn(text, people)
    .slice(0, maxMentions)
    .map(({ id }) => id)
  const { notes } = apiOf(client)(org)
  const body = { text, mentions }
  return noteId === undefined
    ? notes.addNote({ params: { phone }, body }, { idempotencyKey })
    : notes.changeNote({ params: { phone, noteId }, body })
}
