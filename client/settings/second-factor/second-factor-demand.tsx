import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { useDemand } from '#client/ui/controls/use-demand.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'

const demandQuery = (org: string | undefined) => queryFor(org, 'orgSettings.getSecondFactorDemand', {})

const ConfirmDialog = lazyDialog(async () => ({
  default: (await import('#client/ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}))

/** Sets whether the organization requires a second factor. For owners. */
export function SecondFactorDemand() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const { isRequired, membersWithout } = useAnswer(demandQuery(org.slug))
  const put = async (next: boolean) => {
    const answer = await api.orgSettings.setSecondFactorDemand({ body: { isRequired: next } })
    client.setQueryData(demandQuery(org.slug).queryKey, answer)
    toast(t(next ? 'demand.on' : 'demand.offNow'), { kind: 'success' })
  }
  const { isAsking, isSaving, failure, change, close } = useDemand({ put, asksFirst: membersWithout > 0 })
  return (
    <>
      <p>{t('demand.text')}</p>
      <label className="check">
        <input
          type="checkbox"
          checked={isRequired}
          disabled={isSaving}
          onChange={({ target }) => change(target.checked)}
        />
        {t('demand.label')}
      </label>
      <p>{membersWithout ? t('demand.without', { count: membersWithout }) : t('demand.nobodyWithout')}</p>
      {failure ? <Fault>{failure}</Fault> : null}
      {isAsking ? (
        <ConfirmDialog
          title={t('demand.ask')}
          says={[t('demand.consequence', { count: membersWithout }), t('demand.keys')]}
          confirm={t('demand.confirm')}
          run={() => put(true)}
          onClose={close}
        />
      ) : null}
    </>
  )
}
