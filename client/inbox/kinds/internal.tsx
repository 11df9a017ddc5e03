import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMarkup } from '#client/ui/text/markup.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { clockTime, shortTime } from '#shared/kernel/time.ts'
import { Beside } from '../beside.ts'
import { activityText } from '../thread/activity-words.ts'
import { noteHtml } from '../thread/bubble/bubble-html.ts'
import { EventLine } from './events.tsx'
import type { KindViews, LineProps } from './kind.ts'

/** A centered line about something the team did. It has no icon, so that messages stand out. */
const ActivityLine = ({ message, timeZone, t }: LineProps) => {
  const { user } = useViewer()
  const { i18n } = useTranslation()
  if (!message.activity) return null
  return (
    <div className="happened" data-message={message.id}>
      <span>
        {activityText(message.activity, user.id, t, iso => shortTime(iso, i18n.language as Language, timeZone))} ·{' '}
        <time dateTime={message.at}>{clockTime(message.at, timeZone)}</time>
      </span>
    </div>
  )
}

/** A note of the team. A deleted note shows only that it was deleted. */
const NoteLine = (props: LineProps) => {
  const { message, timeZone, t, acts } = props
  const { onNote } = acts
  const { user } = useViewer()
  const role = effectiveRole(useOrg().role)
  const markup = useMarkup(noteHtml(message, timeZone, t, use(Beside)))
  if (message.revokedAt) return <EventLine {...props} />
  const isOwn = message.note?.authorId === user.id
  return (
    <div className="said said-out" data-message={message.id}>
      {/* biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes */}
      <article className="bubble note" aria-label={t('note.label')} dangerouslySetInnerHTML={markup} />
      {onNote && (isOwn || roleCan(role, 'member:manage')) ? (
        <span className="bubble-tools">
          <button
            type="button"
            className="icon-button bubble-reply"
            aria-label={t(isOwn ? 'note.editTitle' : 'note.deleteTitle')}
            title={t(isOwn ? 'note.editTitle' : 'note.deleteTitle')}
            aria-haspopup="dialog"
            onClick={() => onNote(message)}
          >
            <Icon name={isOwn ? 'form' : 'trash'} />
          </button>
        </span>
      ) : null}
    </div>
  )
}

/** Views of kinds that only the team sees. They are not sent to WhatsApp. */
export const internalViews = { activity: { Line: ActivityLine }, note: { Line: NoteLine } } satisfies KindViews
