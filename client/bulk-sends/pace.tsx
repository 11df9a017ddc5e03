import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/use-answer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useOrg } from '../shell/viewer.ts'
import { paceQuery } from './queries.ts'

const PaceDialog = lazyDialog(() => import('./pace-dialog.tsx'))

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
        <button type="button" className="button" onClick={() => setIsOpen(true)}>
          {t('pace.change')}
        </button>
      ) : null}
      {isOpen ? <PaceDialog perSecond={pace.perSecond} onClose={() => setIsOpen(false)} /> : null}
    </div>
  )
}
