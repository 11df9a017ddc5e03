import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { NewSecret } from './new-secret.tsx'

interface SecretDialogProps {
  readonly name: string
  onChanged(): Promise<unknown>
  onClose(): void
}

/** Replaces the secret. The new one is shown once. */
export default function SecretDialog({ name, onChanged, onClose }: SecretDialogProps) {
  const { t } = useTranslation('integrations')
  const api = useApi()
  const [secret, setSecret] = useState<string>()
  const isMade = useRef(false)
  if (secret !== undefined)
    return (
      <Modal title={t('hooks.newSecretTitle', { name })} width={560} onClose={onClose}>
        <NewSecret secret={secret} onClose={onClose} />
      </Modal>
    )
  return (
    <ConfirmDialog
      title={t('hooks.replaceTitle', { name })}
      says={[t('hooks.replaceSays')]}
      confirm={t('hooks.replace')}
      run={async () => {
        const made = await api.outgoingWebhooks.replaceSecret({ params: { name } })
        isMade.current = true
        setSecret(made.secret)
        await onChanged()
      }}
      // The next dialog has its own close button.
      onClose={() => isMade.current || onClose()}
    />
  )
}
