import { contactNameMaxChars } from '#shared/contacts/chat-contact.ts'
import type { NodeOf } from '#shared/flows/graph.ts'
import type { AnswerKind } from '#shared/flows/nodes/question.ts'
import { plainText } from '#shared/flows/triggers/triggers.ts'
import { variableMaxChars } from '#shared/flows/variables.ts'
import { fitsPattern } from '#shared/kernel/pattern.ts'
import { isPlainName } from '#shared/kernel/plain-name.ts'
import type { Work } from '#shared/kernel/work.ts'
import type { FlowInput } from './advance-types.ts'
import type { ShownOption } from './message-texts.ts'

const isDay = (year: number, month: number, day: number): boolean => {
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}
const two = (n: number): string => String(n).padStart(2, '0')

/** `25/12`, `25-12-26`, `2026-12-25`; without a year the current one. */
const readDate = (text: string, now: string): string | undefined => {
  const found = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text)
  const local = /^(\d{1,2})[/.-](\d{1,2})(?:[/.-](\d{4}|\d{2}))?$/.exec(text)
  const [year, month, day] = found
    ? [Number(found[1]), Number(found[2]), Number(found[3])]
    : local
      ? [Number(local[3] ?? now.slice(0, 4)), Number(local[2]), Number(local[1])]
      : [0, 0, 0]
  const full = year < 100 ? 2000 + year : year
  return isDay(full, month, day) && (found || local) ? `${full}-${two(month)}-${two(day)}` : undefined
}

/** An answer in stored form; undefined if it is not of this kind. @throws TooMuchWork */
export const readAnswer = (
  kind: Exclude<AnswerKind, 'file' | 'location'>,
  text: string,
  { now, pattern = '', work }: { readonly now: string; readonly pattern?: string | undefined; readonly work: Work },
): string | undefined => {
  const said = text.trim()
  if (!said) return undefined
  switch (kind) {
    case 'text':
      return said.slice(0, variableMaxChars)
    case 'number':
      return /^[+-]?\d{1,15}([.,]\d{1,10})?$/.test(said) ? said.replace(',', '.').replace('+', '') : undefined
    case 'email':
      return said.length <= 254 && /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(said) ? said.toLowerCase() : undefined
    case 'date':
      return readDate(said, now)
    case 'phone': {
      const digits = said.replace(/\D/g, '')
      return /^\+?[\d\s()./-]+$/.test(said) && digits.length >= 6 && digits.length <= 15 ? digits : undefined
    }
    case 'pattern':
      return fitsPattern(pattern, said, work) ? said.slice(0, variableMaxChars) : undefined
  }
}

const coordinates = /^(-?\d{1,2}(?:\.\d{1,15})?)\s*,\s*(-?\d{1,3}(?:\.\d{1,15})?)$/

/**
 * A file or location in stored form; undefined if it is neither. A location may also be typed, as `-34.6037,-58.3816`.
 */
export const readShared = (
  kind: 'file' | 'location',
  { text, isText, shared }: Pick<Extract<FlowInput, { kind: 'message' }>, 'text' | 'isText' | 'shared'>,
): string | undefined => {
  if (shared) return shared.kind === kind ? shared.value.slice(0, variableMaxChars) : undefined
  const [, latitude, longitude] = (kind === 'location' && isText && coordinates.exec(text.trim())) || []
  return latitude && longitude && Math.abs(Number(latitude)) <= 90 && Math.abs(Number(longitude)) <= 180
    ? `${latitude},${longitude}`
    : undefined
}

/**
 * The option that a message chooses: by tap, by its title or by its position. `title`: complete, with variables filled
 * in. @param shown the node's options as the customer sees them
 */
export const optionOf = (
  node: NodeOf<'buttons'>,
  input: Extract<FlowInput, { kind: 'message' }>,
  shown: readonly ShownOption[],
): { readonly id: string; readonly title: string } | undefined => {
  const { tapped } = input
  if (tapped) {
    const option = tapped.nodeId === node.id ? node.options.find(({ id }) => id === tapped.optionId) : undefined
    return option && { id: option.id, title: shown.find(({ id }) => id === option.id)?.whole ?? option.title }
  }
  const said = plainText(input.text)
  if (said === '') return undefined
  const isSaid = ({ title, whole }: ShownOption, i: number) =>
    plainText(whole) === said || plainText(title) === said || String(i + 1) === said
  const option = shown.find(isSaid)
  return option && { id: option.id, title: option.whole }
}

/** A contact's name; empty: nothing was written · undefined: it is not a name. */
export const readName = (text: string): string | undefined => {
  const name = [...text.normalize('NFC').trim().replace(/\s+/g, ' ')].slice(0, contactNameMaxChars).join('')
  return !name || isPlainName(name) ? name : undefined
}
