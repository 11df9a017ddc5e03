import type { CountryCode } from 'libphonenumber-js/max'
import { type ContactField, fieldValueOf } from '#shared/contact-fields.ts'
import { fieldTarget, type ImportFault } from '#shared/contact-imports.ts'
import { contactNameMaxChars, contactNoteMaxChars } from '#shared/contacts.ts'
import { fold } from '#shared/fold.ts'
import { phoneKey } from '#shared/phone.ts'
import { isPlainName } from '#shared/plain-name.ts'
import { maxTagsOfContact, tagLabelMaxChars } from '#shared/tags.ts'
import type { CsvRow } from '../../csv.ts'
import { withoutNul } from '../../good-text.ts'
import { readPhone } from '../../phone-input.ts'

/** What a row says of a contact; what it says nothing of is not there. */
export interface Wanted {
  readonly row: number
  /** Digits. */
  readonly phone: string
  readonly key: string
  readonly name?: string
  readonly note?: string
  /** Unlike each other. */
  readonly tags: readonly string[]
  readonly fields: readonly { readonly id: string; readonly value: string }[]
}

export interface Refused {
  readonly row: number
  readonly fault: ImportFault
  readonly column: string | null
  /** What stood where the number should be. */
  readonly given: string
}

interface ReadingFacts {
  readonly columns: readonly string[]
  readonly targets: readonly string[]
  readonly fields: readonly ContactField[]
  /** Of numbers typed without theirs. */
  readonly country: CountryCode
  readonly ownPhones: readonly string[]
  /** Label of the tag that everybody gets. */
  readonly tag?: string | undefined
}

/** As spreadsheets are kept from counting with it: `="011 15…"`, and our own mark before what begins a formula. */
const cellText = (cell: string): string =>
  withoutNul(cell)
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=[=+\-@\t\r])/, '')
    .trim()

const isRounded = (text: string): boolean => /^\d+(?:[.,]\d+)?E\+?\d+$/i.test(text)
const oneLine = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim()

const labelsIn = (text: string): string[] =>
  text
    .split(/[,;|\n]/)
    .map(oneLine)
    .filter(Boolean)

/** A choice as the field has it, whatever the case and the accents. */
const choiceOrValue = (field: ContactField, text: string): string | undefined =>
  fieldValueOf(field, field.kind === 'choice' ? (field.options.find(one => fold(one) === fold(text)) ?? text) : text)

/** Reads row after row; remembers which numbers it has seen. Pure. */
export function createReading({ columns, targets, fields, country, ownPhones, tag }: ReadingFacts) {
  const seen = new Set<string>()
  const own = new Set(ownPhones.map(phoneKey))
  const byTarget = new Map(fields.map(field => [fieldTarget(field.id), field]))
  const phoneColumn = columns[targets.indexOf('phone')] as string

  return ({ row, values, cells, isUnclosed }: CsvRow): Wanted | Refused => {
    const given = cellText(values[phoneColumn] ?? '')
    const refuse = (fault: ImportFault, column: string | null = null): Refused => ({ row, fault, column, given })
    if (isUnclosed) return refuse('unclosedQuote')
    if (cells > columns.length) return refuse('tooManyCells')
    if (given === '') return refuse('numberMissing', phoneColumn)
    if (isRounded(given)) return refuse('numberRounded', phoneColumn)
    const phone = readPhone(given, country)
    if (phone === undefined) return refuse('numberInvalid', phoneColumn)
    const key = phoneKey(phone)
    if (own.has(key)) return refuse('ownNumber', phoneColumn)
    if (seen.has(key)) return refuse('duplicate', phoneColumn)
    seen.add(key)
    const wanted: { name?: string; note?: string } = {}
    const tags = new Map<string, string>(tag === undefined ? [] : [[fold(tag), tag]])
    const filled: { id: string; value: string }[] = []
    for (const [i, column] of columns.entries()) {
      const target = targets[i] as string
      const text = cellText(values[column] ?? '')
      if (target === 'ignore' || target === 'phone' || text === '') continue
      if (target === 'name') {
        const name = oneLine(text)
        if (name.length > contactNameMaxChars || !isPlainName(name)) return refuse('nameInvalid', column)
        wanted.name = name
      } else if (target === 'note') {
        if (text.length > contactNoteMaxChars) return refuse('noteInvalid', column)
        wanted.note = text
      } else if (target === 'tags') {
        for (const label of labelsIn(text)) {
          if (label.length > tagLabelMaxChars || !isPlainName(label)) return refuse('tagInvalid', column)
          if (!tags.has(fold(label))) tags.set(fold(label), label)
        }
        if (tags.size > maxTagsOfContact) return refuse('tooManyTags', column)
      } else {
        const field = byTarget.get(target)
        const value = field && choiceOrValue(field, text)
        if (field === undefined || value === undefined) return refuse('fieldInvalid', column)
        filled.push({ id: field.id, value })
      }
    }
    return { row, phone, key, ...wanted, tags: [...tags.values()], fields: filled }
  }
}
export type Reading = ReturnType<typeof createReading>

export const isRefused = (one: object): one is Refused => 'fault' in one
