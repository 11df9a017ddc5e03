import { factsOf, type MessageType, messageTypes } from '#shared/inbox/message-kinds.ts'
import { searchedDay, type searchStateWords } from '#shared/inbox/message-search.ts'
import type { MessageStatus } from '#shared/inbox/messages.ts'
import { fold } from '#shared/kernel/fold.ts'

/** A parsed search such as `pan etiqueta:vip tipo:foto antes:2026-10-01`. */
export interface SearchQuery {
  /** The words that are not operators, as typed. */
  readonly words: string
  /** Words that the message or name must not have: `-pan`. */
  readonly without: readonly string[]
  /** Names or numbers of customers. The message is from one of them. */
  readonly from: readonly string[]
  /** Labels of tags, or their beginnings. The customer has all of them. */
  readonly tags: readonly string[]
  /** Names of members, or `bot`. One of them wrote the message. */
  readonly agents: readonly string[]
  /** The message has one of these types. Empty: any. */
  readonly types: readonly MessageType[]
  /** The message has one of these statuses. Empty: any. */
  readonly statuses: readonly MessageStatus[]
  /** Undefined: archived or not. */
  readonly archived?: boolean
  /** Sent before this day, `YYYY-MM-DD`. */
  readonly before?: string
  /** Sent after this day, `YYYY-MM-DD`. */
  readonly after?: string
}

type Operator = 'from' | 'tag' | 'agent' | 'type' | 'status' | 'before' | 'after'

/** Folded, in both languages. */
const operators: ReadonlyMap<string, Operator> = new Map([
  ['de', 'from'],
  ['from', 'from'],
  ['etiqueta', 'tag'],
  ['tag', 'tag'],
  ['agente', 'agent'],
  ['agent', 'agent'],
  ['tipo', 'type'],
  ['type', 'type'],
  ['estado', 'status'],
  ['status', 'status'],
  ['antes', 'before'],
  ['before', 'before'],
  ['despues', 'after'],
  ['after', 'after'],
])

/** The kinds that each word behind `type:` finds. */
const kinds: Record<string, readonly MessageType[]> = {}
for (const type of messageTypes)
  for (const word of factsOf(type).search ?? []) kinds[word] = [...(kinds[word] ?? []), type]

type State = { readonly statuses: readonly MessageStatus[] } | { readonly archived: boolean }
const states: Readonly<Record<(typeof searchStateWords)[number], State>> = {
  cola: { statuses: ['queued'] },
  queued: { statuses: ['queued'] },
  enviado: { statuses: ['sent'] },
  sent: { statuses: ['sent'] },
  entregado: { statuses: ['delivered'] },
  delivered: { statuses: ['delivered'] },
  leido: { statuses: ['read'] },
  read: { statuses: ['read'] },
  fallido: { statuses: ['failed'] },
  failed: { statuses: ['failed'] },
  recibido: { statuses: ['received'] },
  received: { statuses: ['received'] },
  abierta: { archived: false },
  open: { archived: false },
  archivada: { archived: true },
  archived: { archived: true },
}

/** A value of this length or more may be a prefix, because people search while typing. */
const prefixChars = 3
/** Further operators are read as words. */
const maxOperators = 12

const meant = <T>(vocabulary: Readonly<Record<string, T>>, value: string): T | undefined => {
  const typed = fold(value)
  const word = Object.hasOwn(vocabulary, typed)
    ? typed
    : typed.length >= prefixChars && Object.keys(vocabulary).find(name => name.startsWith(typed))
  return word ? vocabulary[word] : undefined
}

/** Adds an operator. Undefined: its value is invalid. */
const withOperator = (query: SearchQuery, operator: Operator, value: string): SearchQuery | undefined => {
  if (!/[\p{L}\p{N}]/u.test(value)) return undefined
  if (operator === 'from') return { ...query, from: [...query.from, value] }
  if (operator === 'tag') return { ...query, tags: [...query.tags, value] }
  if (operator === 'agent') return { ...query, agents: [...query.agents, value] }
  if (operator === 'type') {
    const types = meant(kinds, value)
    return types && { ...query, types: [...new Set([...query.types, ...types])] }
  }
  if (operator === 'status') {
    const state = meant(states, value)
    if (!state) return undefined
    return 'archived' in state
      ? { ...query, archived: state.archived }
      : { ...query, statuses: [...new Set([...query.statuses, ...state.statuses])] }
  }
  const day = searchedDay(value)
  if (!day) return undefined
  if (operator === 'before') return { ...query, before: query.before && query.before < day ? query.before : day }
  return { ...query, after: query.after && query.after > day ? query.after : day }
}

/** `-pan`, but not a single dash or one within a word. */
const excluded = /^-[\p{L}\p{N}]/u

/** An operator with its value, in quotes if it has spaces; or anything else up to the next space. */
const part = /(?<name>\p{L}+):(?:["“”](?<quoted>[^"“”]*)["“”]?|(?<bare>[^\s"“”]+)|(?=\s|$))|\S+/gu

/**
 * Parses a search with operators: `de:` (from) · `etiqueta:` (tag) · `agente:` (agent) · `tipo:` (type) · `estado:`
 * (status) · `antes:` (before) · `después:` (after). `-word` excludes messages with the word. Case and accents are
 * ignored; values with spaces are quoted. A repeated operator matches any of its values, except tags, which must all
 * match, and days, which narrow further. Invalid operators such as `tipo:nada`, impossible days and more than twelve
 * operators are read as words. An operator without a value is ignored. Nothing is refused.
 */
export function parseSearch(typed: string): SearchQuery {
  let query: SearchQuery = { words: '', without: [], from: [], tags: [], agents: [], types: [], statuses: [] }
  const words: string[] = []
  const without: string[] = []
  let count = 0
  for (const { 0: whole, groups } of typed.matchAll(part)) {
    const operator = groups?.name === undefined ? undefined : operators.get(fold(groups.name))
    const value = (groups?.quoted ?? groups?.bare ?? '').trim()
    if (operator && !value) continue
    const next = operator && count < maxOperators ? withOperator(query, operator, value) : undefined
    if (next) {
      query = next
      count += 1
    } else if (excluded.test(whole) && without.length < maxOperators) without.push(whole.slice(1))
    else words.push(whole)
  }
  // With nothing else to search for, `-word` is searched as a word.
  if (!words.length && !count) return { ...query, words: without.map(word => `-${word}`).join(' ') }
  return { ...query, words: words.join(' '), without }
}

/** True if there is a filter. Words alone do not count. */
export const narrowsMessages = ({ from, agents, types, statuses, before, after }: SearchQuery): boolean =>
  Boolean(from.length || agents.length || types.length || statuses.length || before || after)

/** A name alone does not count. */
export const narrowsConversations = ({ tags, archived }: SearchQuery): boolean =>
  tags.length > 0 || archived !== undefined
