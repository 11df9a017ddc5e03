import type { ImportFound } from '#shared/imports/found.ts'
import { namesListed, refusedListed, sampleMessages } from '#shared/imports/limits.ts'
import type { Refused, RefusedLine } from '../refused.ts'
import { readEntryContent } from './contents.ts'
import { createDateSense, entryTime, readDay } from './dates.ts'
import { type Entry, isEntry, type Stray } from './entries.ts'

const shownChars = 80
const sampleChars = 300

/** Collects the facts of a chat entry by entry. `hasFile`: whether the export has a file of this name. */
export function createSurvey(hasFile: (name: string) => boolean) {
  const sense = createDateSense()
  const names = new Map<string, number>()
  const refused: RefusedLine[] = []
  /** Dates above 12 in both places, or none at all: they are listed when the order is known. */
  const dated: Pick<Entry, 'line' | 'date' | 'text'>[] = []
  const counts = { messages: 0, files: 0, missing: 0, strays: 0 }
  const first: { entry: Entry; author: string; type: string; text: string }[] = []

  const refuse = (one: RefusedLine) => {
    if (refused.length < refusedListed) refused.push({ ...one, text: one.text.slice(0, shownChars).toWellFormed() })
  }

  return {
    add(one: Entry | Stray): void {
      if (!isEntry(one)) {
        counts.strays += 1
        refuse({ line: one.line, why: 'stray', text: one.text })
        return
      }
      const { author, line, text, date } = one
      const content = author === null ? undefined : readEntryContent(text)
      if (author === null || content === undefined) return
      sense.add(one)
      counts.messages += 1
      if (first.length < sampleMessages) {
        const said = content.text.slice(0, sampleChars).toWellFormed()
        first.push({ entry: one, author, type: content.type, text: said })
      }
      if (names.has(author) || names.size < namesListed) names.set(author, (names.get(author) ?? 0) + 1)
      const isOdd = (['dmy', 'mdy', 'ymd'] as const).filter(order => readDay(date, order)).length < 2
      if (isOdd && dated.length < refusedListed * 4) dated.push({ line, date, text: text.slice(0, shownChars) })
      if (content.file === undefined || content.isDeleted) return
      if (content.file !== null && hasFile(content.file)) counts.files += 1
      else {
        counts.missing += 1
        if (content.file !== null) refuse({ line, why: 'fileMissing', text: content.file })
      }
    },

    result(): { found: ImportFound; refused: Refused } {
      const { order, isSure, first: from, last, impossible } = sense.reading()
      for (const { line, date, text } of dated) if (!readDay(date, order)) refuse({ line, why: 'date', text })
      const messages = counts.messages - impossible
      return {
        found: {
          chats: messages ? 1 : 0,
          messages,
          contacts: messages ? 1 : 0,
          files: counts.files,
          missingFiles: counts.missing,
          from,
          to: last,
          names: [...names].map(([name, messages]) => ({ name, messages })).sort((a, b) => b.messages - a.messages),
          dateOrder: order,
          isDateSure: isSure,
          // On the clock of the phone: which one that is, the mapping says.
          sample: first.map(({ entry, author, type, text }) => ({
            at: entryTime(entry, order, 'UTC') ?? '',
            name: author,
            text,
            type,
          })),
        },
        refused: {
          count: counts.strays + impossible + counts.missing,
          first: refused.sort((a, b) => a.line - b.line),
          byReason: { stray: counts.strays, date: impossible, fileMissing: counts.missing },
        },
      }
    },
  }
}
