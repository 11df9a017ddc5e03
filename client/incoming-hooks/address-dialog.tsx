import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { IncomingHook } from '#shared/incoming-hooks/api.ts'
import { NewAddress } from './new-address.tsx'

/** Replaces a hook's address, and shows the new one, once. */
export default function AddressDialog({ hook, onClose }: { readonly hook: IncomingHook; onClose(): void }) {
  const { t } = useTranslation('integrations')
  const api = useApi()
  const failureText = useFailureText()
  const [url, setUrl] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const replace = () =>
    work(async () => {
      setFailure(undefined)
      try {
        setUrl((await api.incomingHooks.replaceAddress({ params: { id: hook.id } })).url)
      } catch (refusal) {
        setFailure(failureText(refusal))
      }
    })
  return (
    <Modal title={t('incoming.replaceTitle', { name: hook.name })} width={560} onClose={onClose}>
      {url === undefined ? (
        <DialogForm
          confirm={t('incoming.replace')}
          isDanger
          isWorking={isWorking}
          onSubmit={replace}
          onCancel={onClose}
        >
          <p>{t('incoming.replaceSays')}</p>
          {failure ? <Fault>{failure}</Fault> : null}
        </DialogForm>
      ) : (
        <NewAddress url={url} sample={hook.sample ?? ''} onClose={onClose} />
      )}
    </Modal>
  )
}
