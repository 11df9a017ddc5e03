import type { Conversation } from '#shared/inbox/conversations.ts'
import type { OrgMember, OrgTeam } from '#shared/orgs/members.ts'
import type { InboxT } from '../../words.ts'

/** Absent: unchanged. Null: unassigned. */
export interface Assignment {
  readonly userId?: string | null
  readonly teamId?: string | null
  /** The bot takes over, even from an assignee. */
  readonly toBot?: true
  /** An internal note for the new assignee. */
  readonly note?: string
  /** Text shown when it is done. */
  readonly done: string
}

export interface Assignee {
  readonly key: string
  readonly kind: 'person' | 'team' | 'bot' | 'none'
  readonly name: string
  /** Text in the menu. */
  readonly label: string
  /** The current one. Choosing it again unassigns it. */
  readonly isChosen: boolean
  readonly assignment: Assignment
}

/** The current assignment. `isSomebodys`: of several conversations, some are assigned, but not all alike. */
export type Held = Pick<Conversation, 'assignee' | 'team'> &
  Partial<Pick<Conversation, 'control'>> & { readonly isSomebodys?: boolean }

interface Choices {
  /** Members who may answer customers. */
  readonly people: readonly OrgMember[]
  readonly teams: readonly OrgTeam[]
  readonly conversation: Held
  /** The reader's id. */
  readonly userId: string
}

/**
 * The possible assignees of a conversation: the reader first, then other members and teams; nobody if it is assigned,
 * and the bot unless it has it.
 */
export function assigneesOf({ people, teams, conversation, userId }: Choices, t: InboxT): Assignee[] {
  const { assignee, team, control, isSomebodys } = conversation
  const person = ({ userId: id, name }: OrgMember): Assignee => {
    const isChosen = assignee?.id === id
    const isMe = id === userId
    return {
      key: id,
      kind: 'person',
      name,
      label: isMe ? t(isChosen ? 'assign.mine' : 'assign.me') : name,
      isChosen,
      assignment: isChosen
        ? { userId: null, done: t('assign.doneNobody') }
        : { userId: id, done: isMe ? t('assign.doneMe') : t('assign.done', { name }) },
    }
  }
  const ofTeam = ({ id, name }: OrgTeam): Assignee => {
    const isChosen = team?.id === id
    return {
      key: id,
      kind: 'team',
      name,
      label: t('assign.team', { name }),
      isChosen,
      assignment: isChosen
        ? { teamId: null, done: t('assign.doneNoTeam') }
        : { teamId: id, done: t('assign.doneTeam', { name }) },
    }
  }
  const [me, others] = [people.filter(one => one.userId === userId), people.filter(one => one.userId !== userId)]
  const none: Assignee[] =
    assignee || team || isSomebodys
      ? [
          {
            key: 'none',
            kind: 'none',
            name: '',
            label: t('assign.nobody'),
            isChosen: false,
            assignment: { userId: null, teamId: null, done: t('assign.doneNobody') },
          },
        ]
      : []
  const bot: Assignee[] =
    control === undefined || control === 'bot'
      ? []
      : [
          {
            key: 'bot',
            kind: 'bot',
            name: '',
            label: t('control.toBot'),
            isChosen: false,
            assignment: { toBot: true, done: t('control.doneToBot') },
          },
        ]
  return [...me.map(person), ...none, ...bot, ...others.map(person), ...teams.map(ofTeam)]
}
