import { addChecksums, checksumOf, inSeconds } from '#server/messaging/archive/checksum.ts'
import { type ArchiveRecord, readRecord } from '#server/messaging/archive/records.ts'
import { displayPhone } from '#server/platform/text/phone-display.ts'
import type { ImportFound } from '#shared/imports/found.ts'
import { mappedAtMost, refusedListed, sampleMessages } from '#shared/imports/limits.ts'
import type { Refusal } from '#shared/imports/states.ts'
import { ImportReleased, type RecordKind, type RecordLine, type RecordSource } from '../reading/record-source.ts'
import type { RefusedCounts, RefusedLine } from '../refused.ts'
import { ImportStopped } from '../work/stopped.ts'
import { recordMaxChars } from './source.ts'

/** A chat of an archive with the count and checksum of its messages. */
export interface SurveyedChat {
  readonly name: string
  readonly number: string
  found: number
  sum: bigint
}

/** Reading a record takes some microseconds. */
const linesPerTurn = 200
const shownChars = 80
const textShown = 300
/** The survey keeps a name for each contact and a checksum for each chat in memory. */
const contactsAtMost = 500_000

const checkedOf = ({ at, direction, text, editedAt, deletedAt, file }: ArchiveRecord<'messages'>) => ({
  at,
  direction,
  text,
  editedAt: editedAt ?? null,
  deletedAt: deletedAt ?? null,
  sha256: file?.path ? (file.sha256 ?? null) : null,
})
const checksumOfRecord = (record: ArchiveRecord<'messages'>, isExact: boolean): bigint =>
  checksumOf(isExact ? checkedOf(record) : inSeconds(checkedOf(record)))

const nameOf = ({ name, profileName, username, waId, bsuid }: ArchiveRecord<'contacts'>): string =>
  name || profileName || username || (waId && displayPhone(waId)) || bsuid || ''

/** The message as a preview shows it. */
const sampleOf = ({ at, direction, author, text, type }: ArchiveRecord<'messages'>, customer: string) => ({
  at,
  name: direction === 'in' ? customer : (author?.name ?? null),
  isOurs: direction !== 'in',
  text: text.slice(0, textShown).toWellFormed(),
  type,
})

/**
 * Reads all records of an archive for the preview. Undefined: the process is shutting down.
 * @param most contacts, and chats, that an archive may have
 * @throws ImportStopped for an archive with more
 */
export async function surveyArchive(source: RecordSource, pause: () => Promise<boolean>, most = contactsAtMost) {
  const refused: RefusedLine[] = []
  const byReason: { -readonly [K in keyof RefusedCounts]: RefusedCounts[K] } = {}
  const counts = { contacts: 0, messages: 0, files: 0, missing: 0, refused: 0 }
  const names = new Map<string, string>()
  const tags = new Map<string, number>()
  const numbers = new Map<string, { phone: string; label?: string; chats: number }>()
  const agents = new Map<string, { name: string; messages: number }>()
  const emails = new Map<string, string>()
  const chats = new Map<string, SurveyedChat>()
  let from: string | null = null
  let to: string | null = null
  let sampled: string | undefined
  const sample: NonNullable<ImportFound['sample']> = []

  const refuse = (why: Refusal, { file, number, text }: RecordLine) => {
    counts.refused += 1
    byReason[why] = (byReason[why] ?? 0) + 1
    if (refused.length < refusedListed)
      refused.push({ line: number, why, text: `${file}: ${text.slice(0, shownChars).toWellFormed()}` })
  }

  let read = 0
  /** Yields the valid records of a kind and refuses the others. @throws Aborted when the process is shutting down */
  async function* records<K extends RecordKind>(kind: K) {
    for await (const line of source.lines(kind)) {
      read += 1
      if (read % linesPerTurn === 0 && !(await pause())) throw new Aborted()
      if (line.why) {
        refuse(line.why, line)
        continue
      }
      const record = line.text.length < recordMaxChars ? readRecord(kind, line.text) : undefined
      if (record) yield [record, line] as const
      else refuse(line.text.length < recordMaxChars ? 'record' : 'tooLong', line)
    }
  }

  try {
    for await (const [{ id, phone, label }] of records('numbers'))
      if (numbers.size < mappedAtMost.numbers) numbers.set(id, { phone, ...(label ? { label } : {}), chats: 0 })
    for await (const [{ id, name, email }] of records('people')) {
      if (agents.size >= mappedAtMost.agents) continue
      agents.set(id, { name, messages: 0 })
      emails.set(id, email)
    }
    for await (const [record, line] of records('contacts')) {
      if (!(record.waId || record.bsuid || record.username || record.otherId)) {
        refuse('orphan', line)
        continue
      }
      counts.contacts += 1
      if (counts.contacts > most) throw new ImportStopped('zipSize')
      names.set(record.id, nameOf(record).slice(0, shownChars).toWellFormed())
      for (const label of new Set(record.tags))
        if (tags.has(label) || tags.size < mappedAtMost.tags) tags.set(label, (tags.get(label) ?? 0) + 1)
    }
    for await (const [{ id, contact, number }, line] of records('conversations')) {
      const name = names.get(contact)
      const own = numbers.get(number)
      if (name === undefined || !own) {
        refuse('orphan', line)
        continue
      }
      own.chats += 1
      chats.set(id, { name, number, found: 0, sum: 0n })
      if (chats.size > most) throw new ImportStopped('zipSize')
    }
    for await (const [record, line] of records('messages')) {
      const chat = chats.get(record.conversation)
      if (!chat) {
        refuse('orphan', line)
        continue
      }
      chat.found += 1
      chat.sum = addChecksums(chat.sum, checksumOfRecord(record, source.hasExactTimes))
      counts.messages += 1
      if (from === null || record.at < from) from = record.at
      if (to === null || record.at > to) to = record.at
      const agent = record.author?.kind === 'person' && record.author.id ? agents.get(record.author.id) : undefined
      if (agent) agent.messages += 1
      if (record.file?.path) {
        if (source.sizeOf(record.file.path) === undefined) {
          counts.missing += 1
          refuse('fileMissing', { ...line, text: record.file.path })
        } else counts.files += 1
      }
      if (record.direction === 'internal') continue
      sampled ??= record.conversation
      if (sampled === record.conversation && sample.length < sampleMessages) sample.push(sampleOf(record, chat.name))
    }
  } catch (error) {
    if (error instanceof Aborted || error instanceof ImportReleased) return undefined
    throw error
  }

  const found: ImportFound = {
    chats: chats.size,
    messages: counts.messages,
    contacts: counts.contacts,
    files: counts.files,
    missingFiles: counts.missing,
    names: [],
    dateOrder: 'ymd',
    isDateSure: true,
    from: from && (from as string).slice(0, 19),
    to: to && (to as string).slice(0, 19),
    sample,
    archive: {
      organization: source.manifest.organization.name,
      madeAt: source.manifest.madeAt,
      ...(source.accounts ? { account: source.accounts.chosen, accounts: [...source.accounts.all] } : {}),
      numbers: [...numbers].flatMap(([id, one]) => (one.chats ? [{ id, ...one }] : [])),
      agents: [...agents].flatMap(([id, one]) => (one.messages ? [{ id, ...one }] : [])),
      tags: [...tags].map(([label, contacts]) => ({ label, contacts })),
    },
  }
  return { found, refused: { count: counts.refused, first: refused, byReason }, chats, emails }
}

class Aborted extends Error {}
