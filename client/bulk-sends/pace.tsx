import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { paceQuery } from './queries.ts'
import { useFigure } from './words.tsx'

const PaceDialog = lazyDialog(() => import('./pace-dialog.tsx'))

/** Says how many people of the day's limit were written to first. Nothing while Meta has not said the limit. */
export function RoomLine() {
  const { t } = useTranslation('bulk-sends')
  const say = useFigure()
  const room = useOptionalAnswer(paceQuery(useOrg().slug))?.room
  // Takes the room of the line, so that the list below does not move when the answer arrives.
  if (!room) return <p className="bulk-room" />
  const used = say(room.used)
  return (
    <p className="bulk-room">
      {room.limit === null ? (
        t('room.unlimited', { used })
      ) : (
        <>
          {t('room.says', { used, limit: say(room.limit) })}
          <progress value={Math.min(room.used, room.limit)} max={room.limit} aria-hidden="true" />
        </>
      )}
    </p>
  )
}

/** The rate of bulk messages, with a button for people who may change it. Nothing without a number. */
export function PaceLine() {
  const { t } = useTranslation('bulk-sends')
  const { slug, role } = useOrg()
  const [isOpen, setIsOpen] = useState(false)
  const pace = useOptionalAnswer(paceQuery(slug))
  if (!pace) return null
  return (
    <div className="bulk-pace">
      <span>{t('pace.says', { count: pace.perSecond })}</span>
      {roleCan(effectiveRole(role), 'org:update') ? (
        <button type="button" className="link" onClick={() => setIsOpen(true)}>
          {t('pace.change')}
        </button>
      ) : null}
      {isOpen ? <PaceDialog perSecond={pace.perSecond} onClose={() => setIsOpen(false)} /> : null}
    </div>
  )
}
