import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { listedKind } from '#server/identity/numbers/listed-kind.ts'
import { scopedQuery, seen, seenThrough } from '#server/identity/visibility/condition.ts'
import type { Scope, Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { listedRows } from '#server/platform/db/word-index.ts'
import { searchable } from './index-store.ts'
import type { Narrowing } from './narrowing.ts'
import { hasWords, searchWords } from './words.ts'

type Condition = RawBuilder<boolean>
const nothing = sql<boolean>`1 = 0`

const hasTag = (tagId: string): Condition =>
  sql<boolean>`exists (select 1 from contact_tag
    where contact_tag.contact_id = conversation.contact_id and contact_tag.tag_id = ${tagId})`

/** `coalesce` keeps the engines from using an index: the messages are already known by `seq`. */
const isOneOf = (column: string, values: readonly string[]): Condition =>
  sql<boolean>`coalesce(${sql.ref(column)}, '') in (${sql.join(values)})`

const conditionsOf = (narrowing: Narrowing): Condition[] => {
  const { conversationId, fromCustomersOf, tagIds = [], types, statuses, archived, since, until } = narrowing
  return [
    ...(conversationId === undefined ? [] : [isOneOf('message.conversation_id', [conversationId])]),
    ...(fromCustomersOf
      ? fromCustomersOf.length
        ? [sql<boolean>`message.direction = 'in'`, isOneOf('message.conversation_id', fromCustomersOf)]
        : [nothing]
      : []),
    ...(types?.length ? [sql<boolean>`message.type in (${sql.join(types)})`] : []),
    ...(statuses?.length ? [sql<boolean>`message.status in (${sql.join(statuses)})`] : []),
    ...(archived === undefined
      ? []
      : [archived ? sql<boolean>`conversation.archived = 1` : sql<boolean>`conversation.archived <> 1`]),
    ...(since === undefined ? [] : [sql<boolean>`message.at >= ${since}`]),
    ...(until === undefined ? [] : [sql<boolean>`message.at < ${until}`]),
    ...tagIds.map(hasTag),
  ]
}

export const isNarrowing = (narrowing: Narrowing): boolean =>
  conditionsOf(narrowing).length > 0 || Boolean(narrowing.agents?.length || narrowing.withoutWords?.length)

const bot = 'bot'

/** Messages keep the author's name of that time, so that former members are found. Few names wrote many messages. */
const authorsOf = (agents: readonly string[]) => {
  const asked = agents.map(searchWords)
  const judged = new Map<string, boolean>()
  const isBot = asked.some(([word, other]) => word === bot && other === undefined)
  const isCalled = (name: string) => {
    const known = judged.get(name) ?? asked.some(words => words.length > 0 && hasWords(name, words))
    judged.set(name, known)
    return known
  }
  return (kind: string | null, name: string | null): boolean =>
    (isBot && kind === bot) || (name !== null && isCalled(name))
}

/** Selects the messages (`seqs` is JSON) that the viewer sees in the current inbox. */
const selectShown = (db: Db, { orgId, seqs }: { orgId: string; seqs: string }, scope: Scope) =>
  db
    .selectFrom('message')
    .innerJoin('conversation', 'conversation.id', 'message.conversation_id')
    .select(['message.seq', 'message.author_kind as kind', 'message.author_name as name'])
    .where('message.seq', 'in', sql<number>`(select value from ${listedRows(db, seqs)} as looked)`)
    .where(belongsTo('message.org_id', orgId))
    .where('message.revoked_at', 'is', null)
    // Activity lines are not messages.
    .where('message.type', '<>', 'activity')
    .where('conversation.kind', '=', listedKind(orgId))
    .where(seen(scope))

type Shown = Awaited<ReturnType<ReturnType<typeof selectShown>['execute']>>[number]
const allShown = scopedQuery<{ orgId: string; seqs: string }, Shown>(selectShown)

const shownOf = (db: Db, viewer: Viewer, seqs: string, narrowing: Narrowing): Promise<Shown[]> => {
  const conditions = conditionsOf(narrowing)
  if (!conditions.length) return allShown(db, viewer, { seqs })
  return conditions
    .reduce(
      (select, condition) => select.where(condition),
      selectShown(db, { orgId: viewer.orgId, seqs }, viewer.scope),
    )
    .execute()
}

const textsPerTurn = 100

const withoutWords = async (
  db: Db,
  { orgId, scope }: Viewer,
  seqs: readonly number[],
  words: readonly string[],
): Promise<number[]> => {
  const excluded = new Set<number>()
  for (let at = 0; at < seqs.length; at += textsPerTurn) {
    const rows = await db
      .selectFrom('message')
      .leftJoin('media', 'media.message_id', 'message.id')
      .select(['message.seq', searchable.as('text')])
      .where('message.seq', 'in', seqs.slice(at, at + textsPerTurn))
      .where(belongsTo('message.org_id', orgId))
      .where(seenThrough(scope, 'message.conversation_id'))
      .execute()
    for (const { seq, text } of rows) if (words.some(word => hasWords(text, [word]))) excluded.add(seq)
    await nextTurn()
  }
  return seqs.filter(seq => !excluded.has(seq))
}

/** Returns the messages that match and that the viewer sees in the current inbox, newest first. */
export async function meantOf(
  db: Db,
  viewer: Viewer,
  seqs: readonly number[],
  narrowing: Narrowing,
): Promise<number[]> {
  if (!seqs.length) return []
  const { agents = [] } = narrowing
  const rows = await shownOf(db, viewer, JSON.stringify(seqs), narrowing)
  const isBy = authorsOf(agents)
  const meant = agents.length ? rows.filter(row => isBy(row.kind, row.name)) : rows
  const found = meant.map(row => row.seq).sort((a, b) => b - a)
  return narrowing.withoutWords?.length ? withoutWords(db, viewer, found, narrowing.withoutWords) : found
}

/** The newest messages of a conversation. @returns their `seq`; the caller checks who may see them */
export async function listNewestSeqs(
  db: Db,
  orgId: string,
  { conversationId, limit }: { conversationId: string; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('message')
    .select('seq')
    .where('conversation_id', '=', eb =>
      eb
        .selectFrom('conversation')
        .select('conversation.id')
        .where('conversation.id', '=', conversationId)
        .where('conversation.org_id', '=', orgId),
    )
    .orderBy('at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  return rows.map(row => row.seq)
}
