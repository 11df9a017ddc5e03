import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faultBelow, fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { Fault, Field, Labelled } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type OutgoingWebhook, webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { bodyOf, nameIn, type WebhookDraft, webhookDraft } from './draft.ts'
import { EventsField } from './events-field.tsx'
import { FilterFields } from './filter-fields.tsx'
import { HeadersField } from './headers-field.tsx'
import { MetaFields } from './meta-fields.tsx'
import { NewSecret } from './new-secret.tsx'

interface WebhookDialogProps {
  /** Undefined: a new one. */
  readonly webhook: OutgoingWebhook | undefined
  onSaved(): Promise<unknown>
  onClose(): void
}

/** A webhook's name, address, events, filter and headers. For a new one, its secret, once. */
export default function WebhookDialog({ webhook, onSaved, onClose }: WebhookDialogProps) {
  const { t } = useTranslation('integrations')
  const api = useApi()
  const failureText = useFailureText()
  const [draft, setDraft] = useState(() => webhookDraft(webhook))
  const change = (part: Partial<WebhookDraft>) => setDraft(before => ({ ...before, ...part }))
  const { name } = draft
  const [made, setMade] = useState<{ secret: string; verifyToken: string | null }>()
  const [wasAsked, setAsked] = useState(false)
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const isMeta = draft.format === 'meta'
  const missing = { name: !name, events: !isMeta && !draft.events.length }
  const submit = () => {
    setAsked(true)
    if (missing.name || missing.events) return
    save(async () => {
      setError(undefined)
      const body = bodyOf(draft)
      try {
        const saved = webhook
          ? await api.outgoingWebhooks.changeWebhook({ params: { name }, body })
          : await api.outgoingWebhooks.createWebhook({ body: { name, format: draft.format, ...body } })
        await onSaved()
        if ('secret' in saved) return setMade(saved)
      } catch (refusal) {
        return setError(refusal)
      }
      toast(t('hooks.saved'), { kind: 'success' })
      onClose()
    })
  }
  if (made)
    return (
      <Modal title={t('hooks.added', { name })} width={560} onClose={onClose}>
        <NewSecret {...made} onClose={onClose} />
      </Modal>
    )
  const faults = {
    name: wasAsked && missing.name ? t('hooks.nameMissing') : fieldFault(error, 'body.name'),
    url: fieldFault(error, 'body.url') && t('hooks.urlFault'),
    events: wasAsked && missing.events ? t('hooks.eventsMissing') : fieldFault(error, 'body.events'),
    lists: (faultBelow(error, 'body.filter') ?? fieldFault(error, 'body.verifyToken')) && t('hooks.listFault'),
    headers: faultBelow(error, 'body.headers') && t('hooks.headersFault'),
  }
  const isElsewhere = error !== undefined && !Object.values(faults).some(Boolean)
  return (
    <Modal title={webhook ? t('hooks.changeTitle', { name }) : t('hooks.add')} width={640} onClose={onClose}>
      <DialogForm confirm={t('hooks.save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
        {webhook ? null : (
          <Field
            label={t('hooks.name')}
            hint={t('hooks.nameHint')}
            autoComplete="off"
            maxLength={webhookLimits.name}
            value={name}
            {...(faults.name ? { fault: faults.name } : {})}
            onChange={({ target }) => change({ name: nameIn(target.value) })}
          />
        )}
        <Field
          label={t('hooks.url')}
          hint={t('hooks.urlHint')}
          type="url"
          autoComplete="off"
          maxLength={webhookLimits.url}
          value={draft.url}
          {...(faults.url ? { fault: faults.url } : {})}
          onChange={({ target }) => change({ url: target.value })}
        />
        {webhook ? null : (
          <Labelled label={t('hooks.format')} hint={t('hooks.formatHint')}>
            {control => (
              <select
                {...control}
                value={draft.format}
                onChange={({ target }) => change({ format: target.value as WebhookDraft['format'] })}
              >
                <option value="standard">{t('hooks.formatStandard')}</option>
                <option value="meta">{t('hooks.formatMeta')}</option>
              </select>
            )}
          </Labelled>
        )}
        {isMeta ? (
          <MetaFields draft={draft} isNew={!webhook} fault={faults.lists} onChange={change} />
        ) : (
          <EventsField events={draft.events} fault={faults.events} onChange={events => change({ events })} />
        )}
        <FilterFields filter={draft.filter} hasTags={!isMeta} onChange={filter => change({ filter })} />
        <HeadersField
          stored={webhook?.headers ?? []}
          headers={draft.headers}
          fault={faults.headers}
          onChange={headers => change({ headers })}
        />
        {isElsewhere ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
