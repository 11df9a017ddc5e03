import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import { refreshPhones } from './queries.ts'

/** Something a customer does, without the customer. */
export type CustomerAction = Omit<SandboxInbound, 'from'>
/** Returns whether it was sent. */
export type Act = (action: CustomerAction) => Promise<boolean>

const httpOk = 200

/** Acts as a customer. A failure is shown as a toast. */
export const useAct = (org: string, phone: string): { act: Act; isActing: boolean } => {
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { t } = useTranslation('simulator')
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (action: CustomerAction) => api.sandbox.inbound({ body: { from: phone, ...action } }),
  })
  const act: Act = async action => {
    try {
      const { wamid, status } = await mutateAsync(action)
      if (wamid === null) toast(t('blockedByUs'), { kind: 'info' })
      else if (status !== httpOk) toast(t('notTaken'), { kind: 'info' })
      await refreshPhones(client, org)
      return true
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
      return false
    }
  }
  return { act, isActing: isPending }
}
