import { type Static, Type } from 'typebox'
import { pageOf, Timestamp } from '#shared/kernel/list.ts'
import { ChatAddress, Conversation, searchMaxChars } from './conversations.ts'
import { MessageType } from './message-kinds.ts'
import { Author, MessageDirection } from './messages.ts'

/** Part of a search result's text. */
const SnippetPart = Type.Object({
  text: Type.String(),
  found: Type.Boolean({ description: 'Whether it is one of the words that were asked for.' }),
})
export const FoundMessage = Type.Object({
  id: Type.String(),
  direction: MessageDirection,
  type: MessageType,
  at: Timestamp,
  author: Type.Optional(Author),
  snippet: Type.Array(SnippetPart, { description: 'The text around the first found word, and the name of the file.' }),
  conversation: Conversation,
})
export type FoundMessage = Static<typeof FoundMessage>
export const FoundPage = Type.Object({
  ...pageOf(FoundMessage).properties,
  conversations: Type.Array(Conversation, {
    description: 'Whose name, username or number matches, last active first; of the first page only.',
  }),
  partial: Type.Optional(
    Type.Boolean({ description: 'True: only the newest were searched. More words or a name find older ones.' }),
  ),
})
export type FoundPage = Static<typeof FoundPage>
/** Values of the search operator `status:`, in both languages, without accents. */
export const searchStateWords = [
  'cola',
  'queued',
  'enviado',
  'sent',
  'entregado',
  'delivered',
  'leido',
  'read',
  'fallido',
  'failed',
  'recibido',
  'received',
  'abierta',
  'open',
  'archivada',
  'archived',
] as const
const dayForms = [
  /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})[/-](?<month>\d{1,2})[/-](?<year>\d{4})$/,
]

/** `2026-10-01` or `1/10/2026` as `2026-10-01`. Undefined: no such day. */
export const searchedDay = (value: string): string | undefined => {
  const found = dayForms.map(form => form.exec(value)?.groups).find(groups => groups !== undefined)
  if (!found) return undefined
  const [year, month, day] = [found.year, found.month, found.day].map(Number) as [number, number, number]
  const at = new Date(Date.UTC(year, month - 1, day))
  // `Date` turns 31 February into a day in March, and years before 100 into later ones.
  const isThere = at.getUTCFullYear() === year && at.getUTCMonth() === month - 1 && at.getUTCDate() === day
  return isThere ? at.toISOString().slice(0, 10) : undefined
}

/** With fewer letters only names and numbers are searched. */
export const searchTextMinChars = 3
export const SearchQuery = Type.Object(
  {
    q: Type.String({
      minLength: 1,
      maxLength: searchMaxChars,
      description:
        'Words, names, or a number as it is typed. Operators narrow it, values with spaces in quotes: `from:` customer · `tag:` · `agent:` name or `bot` · `type:` photo, document … · `status:` failed, archived … · `before:`, `after:` 2026-10-01; also `de:`, `etiqueta:`, `agente:`, `tipo:`, `estado:`, `antes:`, `después:`.',
    }),
    before: Type.Optional(
      Type.String({ maxLength: 64, description: 'Message id, the last of a page: the page behind it.' }),
    ),
    phone: Type.Optional(ChatAddress),
  },
  { additionalProperties: false },
)
