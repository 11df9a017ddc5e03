import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogClose } from '#client/ui/overlays/dialog-close.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Language } from '#shared/kernel/language.ts'
import { fullTime } from '#shared/kernel/time.ts'
import { type OptOut, optOutReasonMaxChars } from '#shared/opt-outs/api.ts'

interface OptOutDialogProps {
  readonly conversation: Conversation
  onChanged(conversation: Conversation): void
  onClose(): void
}

const useHistory = () => {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  return ({ at, source, note, by }: OptOut): string[] => {
    const when = fullTime(at, i18n.language as Language, timeZone)
    if (source !== 'person') return [t(`optOut.${source}`, { when, word: note ?? '' })]
    return [t('optOut.person', { when, name: by ?? '' }), ...(note ? [t('optOut.because', { reason: note })] : [])]
  }
}

function Ask({ conversation, onChanged, onClose }: OptOutDialogProps) {
  const { t } = useTranslation('inbox')
  const api = useApi()
  const failureText = useFailureText()
  const historyOf = useHistory()
  const [reason, setReason] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useWork()
  const { name, optOut } = conversation
  const params = { phone: addressOfConversation(conversation) }
  const submit = (work: () => Promise<Conversation>) =>
    save(async () => {
      try {
        onChanged(await work())
      } catch (error) {
        return setFailure(failureText(error))
      }
      onClose()
    })
  if (!optOut)
    return (
      <Modal title={t('optOut.ask', { name })} onClose={onClose}>
        <DialogForm
          confirm={t('optOut.confirm')}
          isWorking={isSaving}
          onSubmit={() => submit(() => api.inbox.optOutChat({ params, body: { reason } }))}
          onCancel={onClose}
        >
          <p>{t('optOut.means')}</p>
          <Field
            label={t('optOut.reason')}
            hint={t('optOut.reasonHint')}
            value={reason}
            maxLength={optOutReasonMaxChars}
            onChange={({ target }) => setReason(target.value)}
          />
          {failure ? <Fault>{failure}</Fault> : null}
        </DialogForm>
      </Modal>
    )
  const isTheirs = optOut.source === 'whatsapp'
  const says = [...historyOf(optOut), t('optOut.means'), ...(isTheirs ? [t('optOut.onlyThey')] : [])]
  return (
    <Modal title={t('optOut.title', { name })} onClose={onClose}>
      <ul className="consequences">
        {says.map(one => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {isTheirs ? (
        <DialogClose onClose={onClose} />
      ) : (
        <DialogForm
          confirm={t('optOut.undo')}
          isWorking={isSaving}
          onSubmit={() => submit(() => api.inbox.optInChat({ params }))}
          onCancel={onClose}
        >
          {failure ? <Fault>{failure}</Fault> : null}
        </DialogForm>
      )}
    </Modal>
  )
}

/** Records a customer's opt-out, or shows since when it exists and removes it. */
export default function OptOutDialog(props: OptOutDialogProps) {
  return (
    <Suspense fallback={null}>
      <Ask {...props} />
    </Suspense>
  )
}
