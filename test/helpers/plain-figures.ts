import type { Databases } from '#server/platform/db/db.ts'

/**
 * A segment computed in the simplest way from an organization's messages, to compare the product's segments and figures
 * with.
 */
export interface PlainSegment {
  readonly conversationId: string
  readonly start: number
  readonly end: number | null
  readonly bot: boolean
  readonly person: boolean
  readonly response: number | null
  readonly waits: number[]
  readonly waiting: number | null
  readonly owner: string | null
  readonly resolution: number | null
  readonly isUnattended: boolean
}

const day = 86_400_000
const fiveMinutes = 300_000

/** Divides each conversation into segments, then computes each segment as a whole. */
export async function plainSegments(databases: Databases, orgId: string, now: number): Promise<PlainSegment[]> {
  const messages = await databases.read
    .selectFrom('message')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('at')
    .orderBy('seq')
    .execute()
  const all: PlainSegment[] = []
  for (const [conversationId, rows] of Map.groupBy(messages, row => row.conversation_id)) {
    const events = rows.map(row => {
      const { activity, news } = JSON.parse(row.content ?? '{}')
      const wrote = row.direction === 'in' && row.type !== 'welcome' && row.type !== 'system'
      const typed = ['person', 'phone'].includes(row.author_kind ?? '') && row.direction === 'out'
      const given = activity?.kind === 'assigned' && activity.by.kind === 'bot'
      return {
        at: Date.parse(row.at),
        wrote,
        said: wrote || row.direction === 'out',
        person: typed && row.type !== 'template' && row.status !== 'failed',
        by: row.author_id,
        bot: row.author_kind === 'bot' || activity?.kind === 'botStarted',
        handed: activity?.kind === 'handedOver' || given || (row.type === 'system' && news?.kind === 'agentLeft'),
        archived: activity?.kind === 'archived',
        reopened: activity?.kind === 'unarchived',
        assigned: activity?.kind === 'assigned' && activity.assignee ? activity.assignee.id : undefined,
        freed: activity?.kind === 'unassigned' && activity.assignee !== undefined,
      }
    })
    const groups: { events: typeof events; ownerBefore: string | null }[] = []
    let [open, last, owner] = [false, 0, null as string | null]
    let ending: (typeof events)[number] | undefined
    for (const event of events) {
      if (ending && (event.person || event.reopened) && event.at - ending.at <= fiveMinutes) {
        ending.archived = false
        ending = undefined
        open = true
      }
      if (open && event.at - last >= day) open = false
      if (!open && event.wrote) {
        groups.push({ events: [], ownerBefore: owner })
        open = true
        ending = undefined
      }
      if (event.assigned) owner = event.assigned
      if (event.freed) owner = null
      if (!open) continue
      groups.at(-1)?.events.push(event)
      if (event.said) last = event.at
      if (!event.archived) continue
      open = false
      ending = event
    }
    for (const [i, { events: own, ownerBefore }] of groups.entries()) {
      const start = own[0]?.at ?? 0
      const lastSaid = own.findLast(event => event.said)?.at ?? start
      const archived = own.find(event => event.archived)?.at
      const isOver = archived !== undefined || i < groups.length - 1 || now - lastSaid >= day
      const reply = own.find(event => event.person)
      const handed = own.find(event => event.handed)?.at
      const from = handed !== undefined && reply && own.findIndex(e => e.handed) < own.indexOf(reply) ? handed : start
      const bot = own.some(event => event.bot)
      const person = !bot || reply !== undefined || handed !== undefined
      const waits: number[] = []
      let since: number | null = null
      for (const event of own) {
        if (event.wrote) since ??= event.at
        if (event.handed) since = event.at
        if (!event.person || since === null) continue
        waits.push(event.at - since)
        since = null
      }
      let has = ownerBefore
      let answered: string | null = null
      for (const event of own) {
        if (event.person) answered ??= own.find(e => e.person)?.by ?? null
        if (event.assigned) has = event.assigned
        if (event.freed) has = null
      }
      all.push({
        conversationId,
        start,
        end: isOver ? (archived ?? lastSaid) : null,
        bot,
        person,
        response: reply ? reply.at - from : null,
        waits,
        waiting: !isOver && person ? since : null,
        owner: has ?? answered,
        resolution: isOver && person ? (archived ?? lastSaid) - (handed ?? start) : null,
        isUnattended: i === groups.length - 1 && archived === undefined && person && !reply,
      })
    }
  }
  return all
}

/** The smallest value that at least this share of all values does not exceed, found by counting for each value. */
export const plainRank = (values: readonly number[], part: number): number | null =>
  values.toSorted((a, b) => a - b).find(value => values.filter(v => v <= value).length >= part * values.length) ?? null

export const plainMedian = (values: readonly number[]): number | null => plainRank(values, 0.5)
