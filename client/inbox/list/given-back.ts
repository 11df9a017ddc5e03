import type { Conversation } from '#shared/inbox/conversations.ts'
import type { ChatsChange } from '#shared/inbox/inbox.ts'

interface GivenBack {
  readonly rows: readonly Conversation[]
  readonly body: Pick<ChatsChange, 'userId' | 'teamId' | 'control'>
}

/** What gives conversations back to whoever had them before they were given to somebody: one change for all that stood alike. */
export const givenBack = (before: readonly Conversation[]): GivenBack[] =>
  [...Map.groupBy(before, row => [row.assignee?.id, row.team?.id, row.control].join(' ')).values()].flatMap(rows => {
    const [first] = rows
    if (!first) return []
    const { assignee, team, control } = first
    const whose = { userId: assignee?.id ?? null, teamId: team?.id ?? null }
    // Meta's agent takes a chat by itself, nobody gives one to it.
    const next = control === 'metaAgent' ? 'bot' : control
    return [{ rows, body: assignee || next === 'human' ? whose : { ...whose, control: next } }]
  })
