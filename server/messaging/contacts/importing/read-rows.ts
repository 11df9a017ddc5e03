import type { CountryCode } from 'libphonenumber-js/max'
import { withoutNul } from '#server/platform/text/good-text.ts'
import { firstPhone } from '#server/platform/text/phone-lists.ts'
import { contactNameMaxChars, contactNoteMaxChars } from '#shared/contacts/chat-contact.ts'
import { type ContactField, fieldValueMaxChars, fieldValueOf } from '#shared/contacts/fields.ts'
import { fieldTarget, type ImportFault } from '#shared/contacts/imports.ts'
import { fold } from '#shared/kernel/fold.ts'
import { phoneKey } from '#shared/kernel/phone.ts'
import { isRounded } from '#shared/kernel/phone-reader.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import { byPhoneRank, byPlaceInName } from '#shared/people-files/column-names.ts'
import type { CsvRow } from '#shared/people-files/csv.ts'
import { maxTagsOfContact, tagLabelMaxChars } from '#shared/tags/api.ts'

/** The content of a row. Empty cells are absent. */
export interface Wanted {
  readonly row: number
  /** Digits. */
  readonly phone: string
  readonly key: string
  readonly name?: string
  readonly note?: string
  /** Distinct. */
  readonly tags: readonly string[]
  readonly fields: readonly { readonly id: string; readonly value: string }[]
}

export interface Refused {
  readonly row: number
  readonly fault: ImportFault
  readonly column: string | null
  /** The invalid text in the number's cell. */
  readonly given: string
}

interface ReadingFacts {
  readonly columns: readonly string[]
  readonly targets: readonly string[]
  readonly fields: readonly ContactField[]
  /** The country of numbers without a country code. */
  readonly country: CountryCode
  readonly ownPhones: readonly string[]
  /** Label of the tag that all contacts get. */
  readonly tag?: string | undefined
}

/**
 * Removes what keeps spreadsheets from treating a cell as a number or formula: `="011 15…"`, and our own escape mark.
 */
const cellText = (cell: string): string =>
  withoutNul(cell)
    .replace(/^="(.*)"$/s, '$1')
    .replace(/^'(?=[=+\-@\t\r])/, '')
    .trim()

const oneLine = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim()

/** A longer cell has more tags than a contact may have, whatever the separators. */
const tagsMaxChars = maxTagsOfContact * (tagLabelMaxChars + 20)
/** Google's built-in groups are not tags. */
const isOwnGroup = (label: string): boolean => /^(?:my ?contacts|starred(?: in android)?)$/i.test(label)

const labelsIn = (text: string): string[] =>
  text
    .split(/ ::: |[,;|\n]/)
    .map(label => oneLine(label.replace(/^\s*\*\s/, '')))
    .filter(label => label !== '' && !isOwnGroup(label))

/** A choice is matched without regard to case and accents. */
const choiceOrValue = (field: ContactField, text: string): string | undefined =>
  fieldValueOf(field, field.kind === 'choice' ? (field.options.find(one => fold(one) === fold(text)) ?? text) : text)

/** Reads row after row and remembers the numbers seen. Pure. */
export function createReading({ columns, targets, fields, country, ownPhones, tag }: ReadingFacts) {
  const seen = new Set<string>()
  const own = new Set(ownPhones.map(phoneKey))
  const byTarget = new Map(fields.map(field => [fieldTarget(field.id), field]))
  const columnsOf = (target: string) => columns.filter((_, i) => targets[i] === target)
  const phoneColumns = byPhoneRank(columnsOf('phone'))
  const nameColumns = byPlaceInName(columnsOf('name'))
  const others = columns.flatMap((column, i) => {
    const target = targets[i] as string
    return ['ignore', 'phone', 'name'].includes(target) ? [] : [{ column, target }]
  })

  return ({ row, values, cells, isUnclosed }: CsvRow): Wanted | Refused => {
    const textsOf = (names: readonly string[]) => names.map(name => cellText(values[name] ?? '')).filter(Boolean)
    const numbers = textsOf(phoneColumns)
    const given = (numbers[0] ?? '').slice(0, 200)
    const phoneColumn = phoneColumns.find(name => cellText(values[name] ?? '') !== '') ?? (phoneColumns[0] as string)
    const refuse = (fault: ImportFault, column: string | null = null): Refused => ({ row, fault, column, given })
    if (isUnclosed) return refuse('unclosedQuote')
    if (cells > columns.length) return refuse('tooManyCells')
    if (!numbers.length) return refuse('numberMissing', phoneColumn)
    const phone = firstPhone(numbers, country)?.phone
    if (phone === undefined) return refuse(numbers.some(isRounded) ? 'numberRounded' : 'numberInvalid', phoneColumn)
    const key = phoneKey(phone)
    if (own.has(key)) return refuse('ownNumber', phoneColumn)
    if (seen.has(key)) return refuse('duplicate', phoneColumn)
    seen.add(key)
    const wanted: { name?: string; note?: string } = {}
    const tags = new Map<string, string>(tag === undefined ? [] : [[fold(tag), tag]])
    const filled: { id: string; value: string }[] = []
    const parts = textsOf(nameColumns)
    if (parts.length) {
      const column = nameColumns.find(name => (values[name] ?? '') !== '') as string
      // Folding takes time by length, and no name is mostly spaces.
      if (parts.some(part => part.length > 10 * contactNameMaxChars)) return refuse('nameInvalid', column)
      const name = oneLine(parts.join(' '))
      if (name.length > contactNameMaxChars || !isPlainName(name)) return refuse('nameInvalid', column)
      wanted.name = name
    }
    for (const { column, target } of others) {
      const text = cellText(values[column] ?? '')
      if (text === '') continue
      if (target === 'note') {
        if (text.length > contactNoteMaxChars) return refuse('noteInvalid', column)
        wanted.note = text
      } else if (target === 'tags') {
        if (text.length > tagsMaxChars) return refuse('tooManyTags', column)
        for (const label of labelsIn(text)) {
          if (label.length > tagLabelMaxChars || !isPlainName(label)) return refuse('tagInvalid', column)
          if (!tags.has(fold(label))) tags.set(fold(label), label)
          if (tags.size > maxTagsOfContact) return refuse('tooManyTags', column)
        }
      } else {
        const field = byTarget.get(target)
        const isShort = text.length <= 4 * fieldValueMaxChars
        const value = field && isShort ? choiceOrValue(field, text) : undefined
        if (field === undefined || value === undefined) return refuse('fieldInvalid', column)
        filled.push({ id: field.id, value })
      }
    }
    return { row, phone, key, ...wanted, tags: [...tags.values()], fields: filled }
  }
}

export const isRefused = (one: object): one is Refused => 'fault' in one
