import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { AreaField, Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type FlowSettings, flowSettingsLimits } from '#shared/flows/settings.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { settingsQuery } from '../queries.ts'

const lists = ['restartWords', 'leaveWords', 'personWords'] as const
const texts = ['expiredText', 'closedText'] as const

const wordsFrom = (text: string): string[] =>
  text
    .split(/[,;\n]/)
    .map(word => word.trim())
    .filter(Boolean)

/** The fault of a field, or of one of its words. */
const faultIn = (error: unknown, name: string): string | undefined => {
  const places = Array.from({ length: flowSettingsLimits.words }, (_, i) => `body.${name}.${i}`)
  return [`body.${name}`, ...places].map(field => fieldFault(error, field)).find(Boolean)
}

type Typed = Readonly<Record<(typeof lists)[number] | (typeof texts)[number] | 'expiresAfterHours', string>>
const typedFrom = (stored: FlowSettings): Typed => ({
  restartWords: stored.restartWords.join(', '),
  leaveWords: stored.leaveWords.join(', '),
  personWords: stored.personWords.join(', '),
  expiresAfterHours: String(stored.expiresAfterHours),
  expiredText: stored.expiredText ?? '',
  closedText: stored.closedText ?? '',
})
/** An invalid number is sent too, and the server's refusal shown. */
const settingsFrom = (typed: Typed): FlowSettings => ({
  restartWords: wordsFrom(typed.restartWords),
  leaveWords: wordsFrom(typed.leaveWords),
  personWords: wordsFrom(typed.personWords),
  expiresAfterHours: typed.expiresAfterHours.trim() === '' ? Number.NaN : Number(typed.expiresAfterHours),
  expiredText: typed.expiredText.trim() || null,
  closedText: typed.closedText.trim() || null,
})

function SettingsForm({ stored, onClose }: { readonly stored: FlowSettings; onClose(): void }) {
  const { t } = useTranslation('flows')
  const { slug, role } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [typed, setTyped] = useState(() => typedFrom(stored))
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const isReadOnly = !roleCan(effectiveRole(role), 'org:update')
  const put = (name: keyof Typed, value: string) => {
    setError(undefined)
    setTyped(now => ({ ...now, [name]: value }))
  }
  const faults = Object.fromEntries([...lists, ...texts, 'expiresAfterHours'].map(name => [name, faultIn(error, name)]))
  const submit = () =>
    save(async () => {
      setError(undefined)
      try {
        const kept = await api.flowSettings.setSettings({ body: settingsFrom(typed) })
        client.setQueryData(settingsQuery(slug).queryKey, kept)
      } catch (refusal) {
        return setError(refusal)
      }
      toast(t('settings.saved'), { kind: 'success' })
      onClose()
    })
  const fields = (
    <>
      {lists.map(name => (
        <Field
          key={name}
          label={t(`settings.${name}`)}
          hint={t(`settings.${name}Hint`)}
          autoComplete="off"
          readOnly={isReadOnly}
          value={typed[name]}
          {...(faults[name] ? { fault: faults[name] } : {})}
          onChange={({ target }) => put(name, target.value)}
        />
      ))}
      <Field
        label={t('settings.expiresAfterHours')}
        hint={t('settings.expiresAfterHoursHint', { hours: flowSettingsLimits.hours })}
        autoComplete="off"
        inputMode="numeric"
        readOnly={isReadOnly}
        value={typed.expiresAfterHours}
        {...(faults.expiresAfterHours ? { fault: faults.expiresAfterHours } : {})}
        onChange={({ target }) => put('expiresAfterHours', target.value)}
      />
      {texts.map(name => (
        <AreaField
          key={name}
          label={t(`settings.${name}`)}
          hint={t(`settings.${name}Hint`, { name: '{{contacto.nombre}}' })}
          rows={2}
          maxLength={flowSettingsLimits.textChars}
          readOnly={isReadOnly}
          value={typed[name]}
          fault={faults[name]}
          onChange={({ target }) => put(name, target.value)}
        />
      ))}
      {error !== undefined && !Object.values(faults).some(Boolean) ? <Fault>{failureText(error)}</Fault> : null}
    </>
  )
  if (isReadOnly) return <div className="stack">{fields}</div>
  return (
    <DialogForm confirm={t('settings.save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
      {fields}
    </DialogForm>
  )
}

/** Settings of all flows: words that apply anywhere, session expiry, the answer outside business hours. */
export default function SettingsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const { data, isError } = useQuery(settingsQuery(slug))
  return (
    <Modal title={t('settings.title')} width={560} onClose={onClose}>
      {isError ? <Fault>{t('settings.failed')}</Fault> : null}
      {data ? <SettingsForm stored={data} onClose={onClose} /> : null}
      {data || isError ? null : <span className="skeleton flow-version-skeleton" />}
    </Modal>
  )
}
