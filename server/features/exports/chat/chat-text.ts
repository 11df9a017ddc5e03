import type { MessageFacts } from '#server/messaging/events.ts'
import { hasFile } from '#shared/inbox/message-kinds.ts'
import { createWallClock } from '#shared/kernel/time.ts'

type Say = (key: string, params?: Record<string, string | number>) => string

/** With whom a chat is, how our side is called, and what its export is written with. */
export interface ChatFacts {
  readonly name: string
  readonly number: string
  readonly ours: string
  readonly timeZone: string
  readonly at: Date
  readonly say: Say
  /** The chat is part of an archive: files are next to the page, and notes of the team are in it. */
  readonly isArchived?: true
}

/** WhatsApp puts this mark before what it writes itself, such as names of files. */
const mark = '\u200e'

/** A name in one line. `: ` ends the name in WhatsApp's form. */
const nameInLine = (name: string): string => name.replace(/\s+/g, ' ').replaceAll(': ', ' ').trim()

const mapAddress = (latitude: number, longitude: number) => `https://maps.google.com/?q=${latitude},${longitude}`

/** The words of a message, without its file. Empty: it is only a file. */
export function messageWords({ text, type, location, contacts }: MessageFacts, say: Say): string {
  if (location) {
    const place = [location.name, location.address].filter(Boolean).join(', ')
    const address = mapAddress(location.latitude, location.longitude)
    return say('exports:chat.location', { where: place ? `${place}: ${address}` : address })
  }
  if (contacts?.length)
    return contacts.map(({ name, phones }) => [name, ...phones].filter(Boolean).join(' · ')).join('\n')
  return text || (hasFile(type) ? '' : say(`inbox:kind.${type}`))
}

/** The message in WhatsApp's own words. */
const saidBy = (message: MessageFacts, say: Say): string => {
  if (message.revokedAt) return mark + say(`exports:chat.${message.direction === 'out' ? 'deletedByUs' : 'deleted'}`)
  const { media, type } = message
  const file = media?.name
    ? say('exports:chat.attached', { name: media.name.replace(/[\r\n<>]+/g, ' ') })
    : hasFile(type) && say(`exports:chat.omitted.${type}`)
  const words = [messageWords(message, say), file && mark + file].filter(Boolean).join(' ')
  return message.editedAt ? `${words} ${mark}${say('exports:chat.edited')}` : words
}

/** A chat as WhatsApp's own export writes it on an iPhone: `[23/11/2026, 10:15:02] Ana: Hola`. */
export async function* chatText(
  { name, ours, timeZone, say }: ChatFacts,
  pages: AsyncIterable<readonly MessageFacts[]>,
): AsyncGenerator<Buffer> {
  const wall = createWallClock(timeZone)
  const names = { in: nameInLine(name), out: nameInLine(ours) }
  for await (const messages of pages) {
    const lines = messages.flatMap(message => {
      // A message that failed never reached the customer: WhatsApp does not have it.
      if (message.status === 'failed' || message.direction === 'internal') return []
      const at = new Date(wall(Date.parse(message.at)))
      const day = `${at.getUTCDate()}/${at.getUTCMonth() + 1}/${at.getUTCFullYear()}`
      const text = saidBy(message, say).replace(/\r\n?|\n/g, '\r\n')
      return [`[${day}, ${at.toISOString().slice(11, 19)}] ${names[message.direction]}: ${text}\r\n`]
    })
    if (lines.length) yield Buffer.from(lines.join(''))
  }
}
