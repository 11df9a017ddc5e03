import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type OutgoingWebhook, webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { faultOf } from '../app/api-error.ts'
import { useApi, useFailureText } from '../app/use-api.ts'
import { NewSecret } from './new-secret.tsx'

/** Turns typed text into a valid name. */
const nameIn = (typed: string): string =>
  typed
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-z0-9_-]+/g, typed.normalize('NFD').match(/\s/) ? '-' : '')
    .replace(/^[^a-z]+/, '')
    .slice(0, webhookLimits.name)

interface WebhookDialogProps {
  /** Undefined: a new one. */
  readonly webhook: OutgoingWebhook | undefined
  onSaved(): Promise<unknown>
  onClose(): void
}

/** A webhook's name and address. For a new one, its secret, once. */
export default function WebhookDialog({ webhook, onSaved, onClose }: WebhookDialogProps) {
  const { t } = useTranslation('integrations')
  const api = useApi()
  const failureText = useFailureText()
  const [name, setName] = useState(webhook?.name ?? '')
  const [url, setUrl] = useState(webhook?.url ?? '')
  const [secret, setSecret] = useState<string>()
  const [missing, setMissing] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useTransition()
  const submit = () => {
    setMissing(!name)
    if (!name) return
    save(async () => {
      setError(undefined)
      try {
        const made = webhook
          ? await api.outgoingWebhooks.changeWebhook({ params: { name }, body: { url: url.trim() } })
          : await api.outgoingWebhooks.createWebhook({ body: { name, url: url.trim() } })
        await onSaved()
        if ('secret' in made) return setSecret(made.secret)
      } catch (refusal) {
        return setError(refusal)
      }
      toast(t('hooks.saved'), { kind: 'success' })
      onClose()
    })
  }
  if (secret !== undefined)
    return (
      <Modal title={t('hooks.added', { name })} width={560} onClose={onClose}>
        <NewSecret secret={secret} onClose={onClose} />
      </Modal>
    )
  const faults = {
    name: missing ? t('hooks.nameMissing') : faultOf(error, 'body.name'),
    url: faultOf(error, 'body.url'),
  }
  const isElsewhere = error !== undefined && !faults.name && !faults.url
  return (
    <Modal title={webhook ? t('hooks.changeTitle', { name }) : t('hooks.add')} width={480} onClose={onClose}>
      <DialogForm confirm={t('hooks.save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
        {webhook ? null : (
          <Field
            label={t('hooks.name')}
            hint={t('hooks.nameHint')}
            autoComplete="off"
            maxLength={webhookLimits.name}
            value={name}
            {...(faults.name ? { fault: faults.name } : {})}
            onChange={({ target }) => setName(nameIn(target.value))}
          />
        )}
        <Field
          label={t('hooks.url')}
          hint={t('hooks.urlHint')}
          type="url"
          autoComplete="off"
          maxLength={webhookLimits.url}
          value={url}
          {...(faults.url ? { fault: t('hooks.urlFault') } : {})}
          onChange={({ target }) => setUrl(target.value)}
        />
        {isElsewhere ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
