import type { ChatsChange } from '#shared/inbox/chat-changes.ts'
import type { MatchingChat } from '#shared/inbox/conversations.ts'

interface GivenBack {
  readonly rows: readonly MatchingChat[]
  readonly body: Pick<ChatsChange, 'userId' | 'teamId' | 'control'>
}

/** Requests that undo an assignment: one for all conversations with the same previous state. */
export const givenBack = (before: readonly MatchingChat[]): GivenBack[] =>
  [...Map.groupBy(before, row => [row.assignee?.id, row.team?.id, row.control].join(' ')).values()].flatMap(rows => {
    const [first] = rows
    if (!first) return []
    const { assignee, team, control } = first
    const whose = { userId: assignee?.id ?? null, teamId: team?.id ?? null }
    // Nobody can assign a chat to Meta's agent.
    const next = control === 'metaAgent' ? 'bot' : control
    return [{ rows, body: assignee || next === 'human' ? whose : { ...whose, control: next } }]
  })
