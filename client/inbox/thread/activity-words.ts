import type { Activity } from '#shared/inbox/activity.ts'
import type { InboxT } from '../words.ts'

const programNames = { chatwoot: 'Chatwoot', whaticket: 'Whaticket' } as const

/** The actor, as it follows "by". */
const doerOf = ({ by }: Activity, userId: string, t: InboxT): string => {
  switch (by.kind) {
    case 'person':
      return by.id === userId ? t('activity.you') : (by.name ?? t('activity.someone'))
    case 'bot':
    case 'phone':
    case 'customer':
      return (by.kind === 'phone' ? null : by.name) ?? t(`activity.${by.kind}`)
    case 'vendor':
      return t(by.id === 'metaAgent' ? 'author.metaAgent' : 'activity.system')
    case 'key':
      return by.name ?? t('activity.program')
    default:
      return t('activity.system')
  }
}

/** The text of an activity line in the reader's language. `userId` is the reader's. */
export const activityText = (
  activity: Activity,
  userId: string,
  t: InboxT,
  momentText: (iso: string) => string,
): string => {
  const { kind, by, assignee, byReply, team, tag, source } = activity
  const doer = doerOf(activity, userId, t)
  if (kind === 'assigned' || kind === 'unassigned') {
    if (team) return t(`activity.${kind}Team`, { team: team.name ?? t('activity.formerTeam'), by: doer })
    const to = assignee?.id === userId ? t('activity.you') : (assignee?.name ?? t('activity.someone'))
    if (byReply) return assignee?.id === userId ? t('activity.firstReplyYou') : t('activity.firstReply', { to })
    return assignee?.id === by.id ? t(`activity.${kind}Self`, { to }) : t(`activity.${kind}`, { to, by: doer })
  }
  if (kind === 'helped') {
    const to = assignee?.id === userId ? t('activity.you') : (assignee?.name ?? t('activity.someone'))
    return by.id === userId ? t('activity.helpedYou', { to }) : t('activity.helped', { by: doer, to })
  }
  if (kind === 'snoozed') {
    const key = activity.ifNoAnswer ? 'snoozedIfNoAnswer' : 'snoozed'
    const when = activity.until ? momentText(activity.until) : ''
    return by.id === userId ? t(`activity.${key}You`, { when }) : t(`activity.${key}`, { by: doer, when })
  }
  if (by.kind === 'customer') {
    if (kind === 'unarchived') return t('activity.cameBack')
    if (kind === 'optedOut' || kind === 'optedIn') return t(`activity.${kind}Self`)
  }
  if (kind === 'imported' && source)
    return source === 'recado'
      ? t('activity.importedArchive', { by: doer })
      : t('activity.importedFrom', { program: programNames[source], by: doer })
  return t(`activity.${kind}`, { by: doer, tag: tag?.label ?? '' })
}
