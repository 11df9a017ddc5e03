import { useTranslation } from 'react-i18next'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'

interface EndDialogProps {
  readonly name: string
  end(): Promise<unknown>
  onClose(): void
}

/** Asks before a program is disconnected. */
export default function EndDialog({ name, end, onClose }: EndDialogProps) {
  const { t } = useTranslation('programs')
  return (
    <ConfirmDialog
      title={t('list.endTitle', { name })}
      says={[t('list.endText')]}
      confirm={t('list.end')}
      onClose={onClose}
      run={async () => {
        await end()
        toast(t('list.ended', { name }), { kind: 'success' })
      }}
    />
  )
}
