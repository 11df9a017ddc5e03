import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { RatesForm } from './rates-editor.tsx'

interface RatesDialogProps {
  onClose(): void
  /** Prices were changed. */
  onSaved(): void
}

/** Meta's prices by country and category, as the organization enters them. */
export default function RatesDialog(props: RatesDialogProps) {
  const { t } = useTranslation('bulk-sends')
  return (
    <Modal title={t('rates.title')} width={760} onClose={props.onClose}>
      <Suspense fallback={<div className="skeleton bulk-skeleton" aria-hidden="true" />}>
        <RatesForm {...props} />
      </Suspense>
    </Modal>
  )
}
