import { factsOf, messageTypes } from '#shared/inbox/message-kinds.ts'
import { searchedDay, searchStateWords } from '#shared/inbox/message-search.ts'
import { fold } from '#shared/kernel/fold.ts'

export const operatorNames = ['from', 'tag', 'agent', 'type', 'status', 'before', 'after'] as const
type OperatorName = (typeof operatorNames)[number]

/** Folded, in both languages, as the server reads them. */
const names: Readonly<Record<string, OperatorName>> = {
  de: 'from',
  from: 'from',
  etiqueta: 'tag',
  tag: 'tag',
  agente: 'agent',
  agent: 'agent',
  tipo: 'type',
  type: 'type',
  estado: 'status',
  status: 'status',
  antes: 'before',
  before: 'before',
  despues: 'after',
  after: 'after',
}

/** An operator in a typed search, such as `tag:vip` or the beginning `tag:`. */
export interface TypedOperator {
  readonly name: OperatorName
  readonly value: string
  /** Offset of its value in the text. */
  readonly start: number
  /** Nothing follows, not even a space: it may still be completed. */
  readonly isLast: boolean
}

/** With the quotes that telephones type by themselves, as the server reads it. */
const operator = /(?<=^|\s)(?<name>\p{L}+):(?:["“”](?<quoted>[^"“”]*)["“”]?|(?<bare>[^\s"“”]*))/gu

export const operatorsIn = (typed: string): TypedOperator[] =>
  [...typed.matchAll(operator)].flatMap(({ 0: whole, index, groups }) => {
    const name = names[fold(groups?.name ?? '')]
    if (!name) return []
    const start = index + (groups?.name?.length ?? 0) + 1
    const value = groups?.quoted ?? groups?.bare ?? ''
    return [{ name, value: value.trim(), start, isLast: index + whole.length === typed.length }]
  })

/**
 * Puts a chosen value behind the last operator, and a space, so that typing goes on with words. A value ends before a quote
 * of its own: its beginning is enough to find it.
 */
export const withValue = (typed: string, { start }: TypedOperator, value: string): string => {
  const [written = ''] = value
    .split(/["“”]/)
    .map(part => part.trim())
    .filter(Boolean)
  return `${typed.slice(0, start)}${/\s/.test(written) ? `"${written}"` : written} `
}

/** The chats that are searched, as far as the text says it. */
export type SearchScope = 'all' | 'open' | 'archived'
const scopeToken = /(?<=^|\s)(?:estado|status):(?<state>abierta|open|archivada|archived)(?=\s|$)/giu

export const scopeOf = (typed: string): SearchScope => {
  const state = [...typed.matchAll(scopeToken)].at(-1)?.groups?.state?.toLowerCase()
  if (state === undefined) return 'all'
  return state === 'abierta' || state === 'open' ? 'open' : 'archived'
}

/** @param token such as `estado:abierta`; empty for all chats */
export const withScope = (typed: string, token: string): string =>
  [typed.replace(scopeToken, '').replace(/\s+/g, ' ').trim(), token].filter(Boolean).join(' ')

/** A value of this length or more may be a prefix, as on the server. */
const prefixChars = 3
const isWordOf = (words: readonly string[], value: string) =>
  words.some(word => word === value || (value.length >= prefixChars && word.startsWith(value)))
const kindWords = messageTypes.flatMap(type => factsOf(type).search ?? [])

/** The known tags and members of the organization. Undefined: not loaded. */
interface KnownValues {
  readonly tags?: readonly string[] | undefined
  readonly people?: readonly string[] | undefined
}

/** True if the server can do nothing with such a value. Customers' names are not checked. */
export const isUnknown = ({ name, value }: TypedOperator, { tags, people }: KnownValues): boolean => {
  const typed = fold(value)
  if (!typed) return false
  if (name === 'tag') return tags !== undefined && !tags.some(label => fold(label).startsWith(typed))
  if (name === 'agent')
    return people !== undefined && typed !== 'bot' && !people.some(person => fold(person).includes(typed))
  if (name === 'type') return !isWordOf(kindWords, typed)
  if (name === 'status') return !isWordOf(searchStateWords, typed)
  return name !== 'from' && !searchedDay(value)
}
