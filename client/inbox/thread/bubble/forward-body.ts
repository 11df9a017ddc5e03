import { download } from '#client/app/calls/upload.ts'
import { factsOf, hasFile } from '#shared/inbox/message-kinds.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { SendMessage } from '#shared/inbox/send-message.ts'

const isStoredFile = ({ type, media }: Message) => hasFile(type) && media?.state === 'stored'

export const canForward = (message: Message): boolean =>
  !message.revokedAt &&
  message.wamid !== null &&
  (isStoredFile(message) ||
    (factsOf(message.type).forwardsText === true && message.text !== '') ||
    message.location !== undefined ||
    message.contacts !== undefined)

type ForwardBody = Pick<SendMessage, 'type' | 'message' | 'location' | 'contacts'>

/** The content to forward, of a message without a file. */
export const forwardBody = ({ text, location, contacts }: Message): ForwardBody => {
  if (location) return { type: 'location', location }
  // Received cards may have empty lists; sending requires leaving them out.
  const cards = contacts?.map(({ name, phones, emails, company }) => ({
    name,
    phones,
    ...(emails.length ? { emails } : {}),
    ...(company ? { company } : {}),
  }))
  return cards ? { type: 'contacts', contacts: cards } : { type: 'text', message: text }
}

/**
 * The stored file, loaded once for all recipients. Undefined: the message has none. @throws when it is no longer
 * available
 */
export const fetchFile = async ({ media, type }: Message): Promise<File | undefined> => {
  if (!media || !hasFile(type)) return undefined
  const [, kind = 'bin'] = media.mime.split(';')[0]?.split('/') ?? []
  return new File([await download(media.url)], media.name ?? `${type}.${kind}`, { type: media.mime })
}
