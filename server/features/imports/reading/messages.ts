import { createHash } from 'node:crypto'
import type { ImportedMessage } from '#server/messaging/imported/imported.ts'
import type { DateOrder } from '#shared/imports/states.ts'
import { readEntryContent } from '../whatsapp/contents.ts'
import { entryTime } from '../whatsapp/dates.ts'
import type { Entry } from '../whatsapp/entries.ts'

interface MakingFacts {
  readonly orgId: string
  readonly connectionId: string
  /** The customer's number, digits. */
  readonly waId: string
  readonly ours: string
  readonly dateOrder: DateOrder
  readonly timeZone: string
}

/** A message, and the name of its file in the export; null: the export lacks it. */
export interface Made {
  readonly line: number
  readonly message: ImportedMessage
  readonly file?: string | null
}

/** A message whose file is missing. */
export const withoutFile = (message: ImportedMessage): ImportedMessage => ({
  ...message,
  type: 'unsupported',
  content: JSON.stringify({ withheld: 'importedFile' }),
})

/**
 * Makes messages of entries, which must come in the order of the file. Equal entries get equal ids in each import, so
 * that a file that is imported again, or a later export of the same chat, brings only what is new: of the same text at
 * the same time, the first, the second and so on keep their ids.
 */
export function createMaking({ orgId, connectionId, waId, ours, dateOrder, timeZone }: MakingFacts) {
  let last = ''
  const repeated = new Map<string, number>()

  const idOf = (at: string, facts: readonly unknown[]): string => {
    if (at !== last) repeated.clear()
    last = at
    const key = JSON.stringify(facts)
    const nth = repeated.get(key) ?? 0
    repeated.set(key, nth + 1)
    const name = JSON.stringify([orgId, connectionId, waId, at, nth, ...facts])
    return `import-${createHash('sha256').update(name).digest('base64url').slice(0, 24)}`
  }

  return {
    /** Undefined: a notice of WhatsApp, or a date that is none. */
    make(entry: Entry): Made | undefined {
      const { author, text, line } = entry
      const content = author === null ? undefined : readEntryContent(text)
      const at = content && entryTime(entry, dateOrder, timeZone)
      if (!content || !at) return undefined
      const isOurs = author === ours
      const hasFile = content.file !== undefined && !content.isDeleted
      const direction = isOurs ? 'out' : 'in'
      const { location } = content
      const kindContent = location
        ? { location: { ...location, ...(content.text ? { name: content.text } : {}) } }
        : null
      const message: ImportedMessage = {
        // A file has the same id with and without it, so a second export with files does not repeat it.
        id: idOf(at, [direction, hasFile, content.text, location ?? null, content.isDeleted ?? false]),
        at,
        direction,
        type: content.type,
        text: location ? '' : content.text,
        content: kindContent && JSON.stringify(kindContent),
        status: isOurs ? 'sent' : 'received',
        // People wrote on the phone; figures of what was sent here leave that out.
        authorKind: isOurs ? 'phone' : null,
        authorName: null,
        editedAt: content.isEdited ? at : null,
        revokedAt: content.isDeleted ? at : null,
      }
      return hasFile ? { line, message, file: content.file ?? null } : { line, message }
    },
  }
}
