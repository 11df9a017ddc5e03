import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { secretReference } from '#shared/flows/http/http.ts'
import { type FlowSecret, maxFlowSecrets, secretLimits } from '#shared/flows/http/secrets.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan, rolesWith } from '#shared/kernel/permissions.ts'
import { longDate } from '#shared/kernel/time.ts'
import { secretsQuery } from '../queries.ts'
import { variableNameOf } from './variable-name.ts'
import './http.css'

interface FormProps {
  /** Undefined: a new one. */
  readonly secret: FlowSecret | undefined
  onSaved(): Promise<unknown>
  onClose(): void
}

function SecretForm({ secret, onSaved, onClose }: FormProps) {
  const { t } = useTranslation('flows')
  const api = useApi()
  const failureText = useFailureText()
  const [name, setName] = useState(secret?.name ?? '')
  const [host, setHost] = useState(secret?.host ?? '')
  const [value, setValue] = useState('')
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const submit = () =>
    save(async () => {
      setError(undefined)
      try {
        const body = { host: host.trim(), value: value.trim() }
        if (secret) await api.flowSecrets.replaceSecret({ params: { name }, body })
        else await api.flowSecrets.createSecret({ body: { name, ...body } })
        await onSaved()
      } catch (refusal) {
        return setError(refusal)
      }
      toast(t('secret.saved'), { kind: 'success' })
      onClose()
    })
  const faults = {
    name: fieldFault(error, 'body.name'),
    host: fieldFault(error, 'body.host'),
    value: fieldFault(error, 'body.value'),
  }
  const isElsewhere = error !== undefined && !Object.values(faults).some(Boolean)
  return (
    <DialogForm confirm={t('secret.save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
      {secret ? null : (
        <Field
          label={t('secret.name')}
          hint={name ? t('secret.nameHint', { name: `{{${secretReference(name)}}}` }) : t('field.variableHint')}
          autoComplete="off"
          maxLength={secretLimits.name}
          value={name}
          {...(faults.name ? { fault: faults.name } : {})}
          onChange={({ target }) => setName(variableNameOf(target.value))}
        />
      )}
      <Field
        label={t('secret.host')}
        hint={t('secret.hostHint')}
        autoComplete="off"
        inputMode="url"
        maxLength={secretLimits.host}
        value={host}
        {...(faults.host ? { fault: faults.host } : {})}
        onChange={({ target }) => setHost(target.value)}
      />
      <Field
        label={t('secret.value')}
        hint={t('secret.valueHint')}
        type="password"
        autoComplete="new-password"
        maxLength={secretLimits.value}
        value={value}
        {...(faults.value ? { fault: faults.value } : {})}
        onChange={({ target }) => setValue(target.value)}
      />
      {isElsewhere ? <Fault>{failureText(error)}</Fault> : null}
    </DialogForm>
  )
}

interface RowProps {
  readonly secret: FlowSecret
  readonly mayManage: boolean
  replace(): void
  remove(): void
}

function SecretRow({ secret, mayManage, replace, remove }: RowProps) {
  const { t, i18n } = useTranslation('flows')
  const { timeZone } = useFacts()
  const { name, host, changedAt, changedBy, usedBy } = secret
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  const flows = usedBy.map(one => (one.isPublished ? one.name : t('secret.usedByDraft', { name: one.name })))
  return (
    <li>
      <div className="flow-secret-facts">
        <code>{`{{${secretReference(name)}}}`}</code>
        <small>{t('secret.to', { host })}</small>
        <small>{t('secret.changed', { name: changedBy, date: longDate(changedAt, language, timeZone) })}</small>
        <small>{flows.length ? t('secret.usedBy', { flows: flows.join(', ') }) : t('secret.unused')}</small>
      </div>
      {mayManage ? (
        <RowMenu
          label={t('secret.actionsOf', { name })}
          items={() => (
            <>
              <MenuItem onClick={replace}>{t('secret.replace')}</MenuItem>
              <MenuItem danger onClick={remove}>
                {t('secret.remove')}
              </MenuItem>
            </>
          )}
        />
      ) : null}
    </li>
  )
}

/** The secrets for calling services: name and host of each. Their values are never shown. */
export default function SecretsDialog({ onClose }: { onClose(): void }) {
  const { t, i18n } = useTranslation('flows')
  const { t: shell } = useTranslation('shell')
  const { slug, role } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const { data, isError } = useQuery(secretsQuery(slug))
  const [edited, setEdited] = useState<FlowSecret | 'new'>()
  const [removed, setRemoved] = useState<FlowSecret>()
  const mayManage = roleCan(effectiveRole(role), 'connection:manage')
  const refresh = () => client.invalidateQueries({ queryKey: secretsQuery(slug).queryKey })
  if (removed)
    return (
      <ConfirmDialog
        title={t('secret.removeTitle', { name: removed.name })}
        says={[t('secret.removeSays')]}
        confirm={t('secret.remove')}
        run={async () => {
          await api.flowSecrets.deleteSecret({ params: { name: removed.name } })
          await refresh()
          toast(t('secret.removed', { name: removed.name }), { kind: 'success' })
        }}
        onClose={() => setRemoved(undefined)}
      />
    )
  if (edited) {
    const secret = edited === 'new' ? undefined : edited
    return (
      <Modal
        title={secret ? t('secret.replaceTitle', { name: secret.name }) : t('secret.add')}
        onClose={() => setEdited(undefined)}
      >
        <SecretForm secret={secret} onSaved={refresh} onClose={() => setEdited(undefined)} />
      </Modal>
    )
  }
  const keepers = new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(
    rolesWith('connection:manage').map(one => shell(`role.${one}`)),
  )
  return (
    <Modal title={t('secret.title')} width={560} onClose={onClose}>
      <div className="stack">
        <p className="field-hint">
          {mayManage ? t('secret.text') : `${t('secret.text')} ${t('secret.readOnly', { roles: keepers })}`}
        </p>
        {isError ? <Fault>{t('secret.failed')}</Fault> : null}
        {data ? null : isError ? null : <span className="skeleton flow-version-skeleton" />}
        {data?.items.length ? (
          <ul className="flow-secrets">
            {data.items.map(secret => (
              <SecretRow
                key={secret.name}
                secret={secret}
                mayManage={mayManage}
                replace={() => setEdited(secret)}
                remove={() => setRemoved(secret)}
              />
            ))}
          </ul>
        ) : data ? (
          <p>{t('secret.none')}</p>
        ) : null}
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {t('secret.close')}
          </button>
          {mayManage && data && data.items.length < maxFlowSecrets ? (
            <button type="button" className="button button-primary" onClick={() => setEdited('new')}>
              {t('secret.add')}
            </button>
          ) : null}
        </div>
      </div>
    </Modal>
  )
}
