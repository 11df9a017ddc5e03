import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'

const EmailDialog = lazyDialog(() => import('./email-dialog.tsx'))

/** The person's email address, with a button to change it. */
export function EmailCard() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <p>{t('emailChange.text', { email: user.email })}</p>
      <div className="card-buttons">
        <button type="button" className="button" onClick={() => setOpen(true)}>
          {t('emailChange.change')}
        </button>
      </div>
      {isOpen ? <EmailDialog onClose={() => setOpen(false)} /> : null}
    </>
  )
}
