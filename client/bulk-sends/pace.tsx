import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/use-answer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { PeopleRoom } from '#shared/bulk-sends/plan.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useOrg } from '../shell/viewer.ts'
import { paceQuery } from './queries.ts'

const PaceDialog = lazyDialog(() => import('./pace-dialog.tsx'))

/** How many people of the day's limit were written to first. Nothing while Meta has not said the limit. */
function Room({ room }: { readonly room: PeopleRoom | null }) {
  const { t, i18n } = useTranslation('bulk-sends')
  const figure = new Intl.NumberFormat(i18n.language)
  if (!room) return null
  const used = figure.format(room.used)
  if (room.limit === null) return <span>{t('room.unlimited', { used })}</span>
  return (
    <span className="bulk-room">
      {t('room.says', { used, limit: figure.format(room.limit) })}
      <progress value={Math.min(room.used, room.limit)} max={room.limit} aria-hidden="true" />
    </span>
  )
}

/** The rate of bulk messages, with a button for people who may change it. Nothing without a number. */
export function PaceLine() {
  const { t } = useTranslation('bulk-sends')
  const { slug, role } = useOrg()
  const [isOpen, setIsOpen] = useState(false)
  const pace = useOptionalAnswer(paceQuery(slug))
  // Takes the room of the line, so that the list below does not move when the answer arrives.
  if (!pace) return <div className="bulk-pace" />
  return (
    <div className="bulk-pace">
      <Room room={pace.room} />
      <span>{t('pace.says', { count: pace.perSecond })}</span>
      {roleCan(effectiveRole(role), 'org:update') ? (
        <button type="button" className="button" onClick={() => setIsOpen(true)}>
          {t('pace.change')}
        </button>
      ) : null}
      {isOpen ? <PaceDialog perSecond={pace.perSecond} onClose={() => setIsOpen(false)} /> : null}
    </div>
  )
}
