import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { useDemand } from '#client/ui/controls/use-demand.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'

/** Shows and changes whether the organization requires single sign-on. For owners. */
export function SsoDemand() {
  const { t } = useTranslation('admin')
  const api = useApi()
  const org = useOrg()
  const { user } = useViewer()
  const client = useQueryClient()
  const query = queryFor(org.slug, 'sso.getDemand', {})
  const demand = useQuery({ ...query, refetchOnMount: 'always' }).data
  const put = async (next: boolean) => {
    client.setQueryData(query.queryKey, await api.sso.setDemand({ body: { isRequired: next } }))
    toast(t(next ? 'sso.demand.on' : 'sso.demand.off'), { kind: 'success' })
  }
  const { isAsking, isSaving, failure, change, close } = useDemand({ put, asksFirst: true })
  if (!demand) return null
  const { isRequired, exemptId, exemptName, membersWithout } = demand
  const isExempt = !isRequired || exemptName === null || exemptId === user.id
  return (
    <section>
      <label className="check">
        <input
          type="checkbox"
          checked={isRequired}
          disabled={isSaving}
          onChange={({ target }) => change(target.checked)}
        />
        {t('sso.demand.label')}
      </label>
      <p className="field-hint">{isExempt ? t('sso.demand.hint') : t('sso.demand.hintOf', { name: exemptName })}</p>
      {membersWithout ? <p className="field-hint">{t('sso.demand.without', { count: membersWithout })}</p> : null}
      {failure ? <Fault>{failure}</Fault> : null}
      {isAsking ? (
        <ConfirmDialog
          title={t('sso.demand.ask')}
          says={[
            ...(membersWithout ? [t('sso.demand.consequence', { count: membersWithout })] : []),
            t('sso.demand.ends'),
            t('sso.demand.keys'),
          ]}
          confirm={t('sso.demand.confirm')}
          run={() => put(true)}
          onClose={close}
        />
      ) : null}
    </section>
  )
}
