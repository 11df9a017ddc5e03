import type { InboxT } from '#client/inbox/words.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { OrgMember, OrgTeam } from '#shared/orgs/members.ts'

/** What is left out stays; null: nobody's, no team's. */
export interface Assignment {
  readonly userId?: string | null
  readonly teamId?: string | null
  /** Whoever has it, the bot goes on. */
  readonly toBot?: true
  /** In words, when it is done. */
  readonly done: string
}

export interface Assignee {
  readonly key: string
  readonly kind: 'person' | 'team' | 'bot' | 'none'
  readonly name: string
  /** As it stands in the menu. */
  readonly label: string
  /** Whose it is now. Chosen once more, it is theirs no longer. */
  readonly isChosen: boolean
  readonly assignment: Assignment
}

/** Whose it is. `isSomebodys`: of several, some are somebody's, though not all the same one's. */
export type Held = Pick<Conversation, 'assignee' | 'team'> &
  Partial<Pick<Conversation, 'control'>> & { readonly isSomebodys?: boolean }

interface Choices {
  /** Those who may answer customers. */
  readonly people: readonly OrgMember[]
  readonly teams: readonly OrgTeam[]
  readonly conversation: Held
  /** The reader's. */
  readonly userId: string
}

/** Whom a conversation can be given to: the reader first, then the other people and the teams; nobody
 * where somebody has it, and the bot where it does not have it already. */
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
