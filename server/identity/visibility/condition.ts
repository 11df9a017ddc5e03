import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { type Scope, seesAll, type Viewer } from './scope.ts'

const everything = sql<boolean>`true`
const nothing = sql<boolean>`false`

/**
 * The SQL condition for which conversations a scope includes: `.where(seen(viewer.scope))` on a query over
 * `conversation`, or an alias of it. `sees` decides the same for a single one.
 */
export function seen(scope: Scope, conversation = 'conversation'): RawBuilder<boolean> {
  if (scope.kind === 'all') return everything
  const { tagIds, otherTeams, teamIds, assigneeId } = scope
  const team = sql.ref(`${conversation}.team_id`)
  // Never null, because it is also used negated.
  const own =
    assigneeId === null
      ? nothing
      : sql<boolean>`coalesce(${sql.ref(`${conversation}.assignee_id`)}, '') = ${assigneeId}`
  const ofTeams = teamIds.length ? sql<boolean>`coalesce(${team}, '') in (${sql.join(teamIds)})` : nothing
  const ofNoOther = otherTeams ? everything : sql<boolean>`${team} is null`
  const tagged =
    tagIds === null
      ? everything
      : tagIds.length
        ? sql<boolean>`exists (select 1 from contact_tag
            where contact_tag.contact_id = ${sql.ref(`${conversation}.contact_id`)} and contact_tag.tag_id in (${sql.join(tagIds)}))`
        : nothing
  return sql<boolean>`(${own} or ${ofTeams} or (${ofNoOther} and ${tagged}))`
}

/** The condition for rows that belong to a conversation. `column` has its id. */
export function seenThrough(scope: Scope, column: `${string}.conversation_id`): RawBuilder<boolean> {
  if (scope.kind === 'all') return everything
  return sql<boolean>`exists (select 1 from conversation as seen where seen.id = ${sql.ref(column)} and ${seen(scope, 'seen')})`
}

/** The condition for rows that may belong to no conversation. `without` says which of those everybody sees. */
export const seenOr = (
  scope: Scope,
  column: `${string}.conversation_id`,
  without: RawBuilder<boolean>,
): RawBuilder<boolean> =>
  scope.kind === 'all'
    ? everything
    : sql<boolean>`((${sql.ref(column)} is null and ${without}) or ${seenThrough(scope, column)})`

type Compilable<Row> = { compile(): CompiledQuery<Row> }

/** `hotQuery` with a scope: compiled once for viewers who see all, and each time for others. */
export function scopedQuery<P extends { orgId: string }, Row>(build: (db: Db, p: P, scope: Scope) => Compilable<Row>) {
  const whole = hotQuery<P, Row>((db, p) => build(db, p as P, seesAll))
  return async (db: Db, { orgId, scope }: Viewer, params: Omit<P, 'orgId'>): Promise<Row[]> => {
    const all = { ...params, orgId } as P
    if (scope.kind === 'all') return whole(db, all)
    return (await db.executeQuery<Row>(build(db, all, scope).compile())).rows
  }
}
