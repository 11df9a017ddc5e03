import './views-dialog.css'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { type ViewFilter, viewNameMaxChars } from '#shared/saved-views/api.ts'
import { useChangeViews } from './use-change-views.ts'
import { useFilterWords } from './view-filter.ts'

interface SaveViewDialogProps {
  readonly org: string
  readonly filter: ViewFilter
  onClose(): void
}

/** Saves the list's filters under a name. */
export default function SaveViewDialog({ org, filter, onClose }: SaveViewDialogProps) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const mayShare = roleCan(effectiveRole(useOrg().role), 'chat:reply')
  const [name, setName] = useState('')
  const [shared, setShared] = useState(false)
  const { fault, setFault, isWorking, run } = useChangeViews(org)
  const words = useFilterWords(org, [filter])(filter)
  const save = () => {
    if (!name.trim()) return setFault(t('views.nameMissing'))
    run(() => api.savedViews.createView({ body: { name, shared, filter } }), t('views.saved'), onClose)
  }
  return (
    <Modal title={t('views.saveTitle')} onClose={onClose}>
      <DialogForm confirm={t('views.save')} isWorking={isWorking} onSubmit={save} onCancel={onClose}>
        <Field
          label={t('views.name')}
          autoFocus
          maxLength={viewNameMaxChars}
          value={name}
          hint={t('views.holds', { words })}
          {...(fault ? { fault } : {})}
          onChange={({ target }) => setName(target.value)}
        />
        {mayShare ? (
          <label className="views-shared line">
            <input type="checkbox" checked={shared} onChange={({ target }) => setShared(target.checked)} />
            {t('views.shared')}
          </label>
        ) : null}
      </DialogForm>
    </Modal>
  )
}
