import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deleteSsoProvider, listSsoProviders } from '#client/app/calls/auth-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import { DialogClose } from '#client/ui/overlays/dialog-close.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { SsoProvider } from '#shared/auth/sso.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { RowsSkeleton } from '../rows-skeleton.tsx'
import { SsoDemand } from './demand.tsx'
import { SsoForm } from './form.tsx'
import { SsoTable } from './table.tsx'
import './sso.css'

const width = 900

/** The organization's identity providers: a form on the left; on the right, what to enter at the provider, and the list. */
export default function SsoDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const org = useOrg()
  const client = useQueryClient()
  const queryKey = ['sso-providers', org.id]
  const list = useQuery({ queryKey, queryFn: () => listSsoProviders(org.id), refetchOnMount: 'always' })
  const [leaving, setLeaving] = useState<SsoProvider>()
  const providers = list.data?.providers ?? []
  const refresh = () => client.invalidateQueries({ queryKey })
  return (
    <Modal title={t('sso.title')} width={width} fillsPhone onClose={onClose}>
      <p className="lead">{t('sso.lead')}</p>
      <div className="sso-columns">
        <SsoForm onRegistered={refresh} />
        <section className="sso-list stack-l" aria-labelledby="sso-configured">
          <h3 id="sso-configured">{t('sso.configured')}</h3>
          {list.isPending ? <RowsSkeleton /> : null}
          {list.isError ? (
            <>
              <Fault>{t('sso.listFailed')}</Fault>
              <button type="button" className="button" onClick={() => list.refetch()}>
                {common('retry')}
              </button>
            </>
          ) : null}
          {list.isSuccess && !providers.length ? <p>{t('sso.none')}</p> : null}
          {providers.length ? <SsoTable providers={providers} onChanged={refresh} onDelete={setLeaving} /> : null}
          {providers.length && roleCan(effectiveRole(org.role), 'security:manage') ? <SsoDemand /> : null}
        </section>
      </div>
      <DialogClose onClose={onClose} />
      {leaving ? (
        <ConfirmDialog
          title={t('sso.removeTitle', { name: leaving.name })}
          says={[t('sso.removeStops', { domain: leaving.domain }), t('sso.removeBack')]}
          confirm={t('sso.remove')}
          onClose={() => setLeaving(undefined)}
          run={async () => {
            await deleteSsoProvider(leaving.id)
            await refresh()
            toast(t('sso.removed', { name: leaving.name }), { kind: 'success' })
          }}
        />
      ) : null}
    </Modal>
  )
}
