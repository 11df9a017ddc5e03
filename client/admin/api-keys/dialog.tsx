import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { faultBelow } from '#client/app/calls/api-error.ts'
import { createApiKey, deleteApiKey, deleteExpiredApiKeys, listApiKeys } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type ApiKeyEntry, keyNameMax } from '#shared/auth/api-keys.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { RowsSkeleton } from '../rows-skeleton.tsx'
import { NewKeyAlert } from './new-key-alert.tsx'
import { type KeyLimits, KeyOptions, networksIn } from './options.tsx'
import { Programs } from './programs.tsx'
import { KeyTable } from './table.tsx'

const width = 760
const daySeconds = 86_400
const everything: KeyLimits = { days: null, scopes: null, networks: '' }

/** Creates, lists and deletes API keys. A new key is shown once. */
export default function ApiKeysDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const queryKey = ['api-keys', org.id]
  // Using a key emits no event, so the list is reloaded at each opening.
  const list = useQuery({ queryKey, queryFn: () => listApiKeys(org.id), refetchOnMount: 'always' })
  const [name, setName] = useState('')
  const [limits, setLimits] = useState(everything)
  const [made, setMade] = useState<{ readonly key: string; readonly canRead: boolean }>()
  const [copied, setCopied] = useState<string>()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [networkFault, setNetworkFault] = useState<string>()
  const [isWorking, work] = useTransition()
  const [leaving, setLeaving] = useState<ApiKeyEntry>()
  const keys = list.data?.apiKeys ?? []
  const refresh = () => client.invalidateQueries({ queryKey })
  const attempt = (run: () => Promise<void>) =>
    work(async () => {
      setFailure(undefined)
      setNetworkFault(undefined)
      try {
        await run()
      } catch (error) {
        const ofNetworks = faultBelow(error, 'body.networks')
        setNetworkFault(ofNetworks)
        if (!ofNetworks) setFailure(failureText(error))
      }
      await refresh()
    })
  const generate = () =>
    attempt(async () => {
      setMade(undefined)
      const expiresIn = limits.days === null ? null : limits.days * daySeconds
      const { key } = await createApiKey(org.id, {
        name: name.trim(),
        expiresIn,
        scopes: limits.scopes,
        networks: networksIn(limits.networks),
      })
      setMade({ key, canRead: limits.scopes?.includes('chat:read') ?? roleCan(effectiveRole(org.role), 'chat:read') })
      setName('')
      setLimits(everything)
    })
  const close = () => (made !== undefined && made.key !== copied ? setAsking(true) : onClose())
  const hasScope = limits.scopes === null || limits.scopes.length > 0
  const canGenerate = name.trim() !== '' && hasScope && !isWorking
  return (
    <Modal title={t('keys.title')} width={width} fillsPhone onClose={close}>
      <p className="key-lead">{t('keys.lead')}</p>
      <form
        className="stack"
        noValidate
        onSubmit={event => {
          event.preventDefault()
          if (canGenerate) generate()
        }}
      >
        <div className="key-form wrap">
          <Field
            label={t('keys.name')}
            name="name"
            placeholder={t('keys.placeholder')}
            autoComplete="off"
            required
            maxLength={keyNameMax}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <button type="submit" className="button button-primary" aria-disabled={!canGenerate}>
            {t('keys.generate')}
          </button>
        </div>
        <KeyOptions
          key={made?.key}
          role={effectiveRole(org.role)}
          limits={limits}
          onChange={setLimits}
          fault={hasScope ? undefined : t('keys.oneScope')}
          networkFault={networkFault}
          address={list.data?.address}
        />
      </form>
      {failure ? <Fault>{failure}</Fault> : null}
      {made ? (
        <NewKeyAlert key={made.key} value={made.key} canRead={made.canRead} onCopied={() => setCopied(made.key)} />
      ) : null}
      <div className="admin-head key-head">
        <h3>{t('keys.existing')}</h3>
        {keys.some(({ state }) => state === 'expired') ? (
          <button
            type="button"
            className="button button-quiet"
            onClick={() => attempt(async () => void (await deleteExpiredApiKeys(org.id)))}
          >
            {t('keys.removeExpired')}
          </button>
        ) : null}
      </div>
      {list.isPending ? <RowsSkeleton /> : null}
      {list.isError ? (
        <div className="key-form wrap">
          <Fault>{t('keys.failed')}</Fault>
          <button type="button" className="button" onClick={() => list.refetch()}>
            {common('retry')}
          </button>
        </div>
      ) : null}
      {list.isSuccess && !keys.length ? <p>{t('keys.none')}</p> : null}
      {keys.length ? <KeyTable keys={keys} onDelete={setLeaving} /> : null}
      <Programs />
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={close}>
          {common('close')}
        </button>
      </div>
      {isAsking ? (
        <ConfirmDialog
          title={t('keys.unseen')}
          says={[t('keys.unseenSays')]}
          confirm={t('keys.unseenClose')}
          back={t('keys.unseenBack')}
          onClose={() => setAsking(false)}
          run={async () => onClose()}
        />
      ) : null}
      {leaving ? (
        <ConfirmDialog
          title={t('keys.removeTitle', { name: leaving.name })}
          says={[t('keys.removeStops'), t('keys.removeBack')]}
          confirm={t('keys.remove')}
          onClose={() => setLeaving(undefined)}
          run={async () => {
            await deleteApiKey(leaving.id)
            await refresh()
            toast(t('keys.removed', { name: leaving.name }), { kind: 'success' })
          }}
        />
      ) : null}
    </Modal>
  )
}
