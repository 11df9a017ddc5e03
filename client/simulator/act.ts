import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { SandboxInbound } from '#shared/simulator/inbound.ts'
import { refreshPhones } from './queries.ts'

/** What a customer does, without who it is. */
export type Deed = Omit<SandboxInbound, 'from'>
/** Answers whether it left the phone. */
export type Act = (deed: Deed) => Promise<boolean>

const httpOk = 200

/** Acts as a customer; what does not arrive is said. */
export const useAct = (org: string, phone: string): { act: Act; isActing: boolean } => {
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { t } = useTranslation('simulator')
  const { mutateAsync, isPending } = useMutation({
    mutationFn: (deed: Deed) => api.sandbox.inbound({ body: { from: phone, ...deed } }),
  })
  const act: Act = async deed => {
    try {
      const { wamid, status } = await mutateAsync(deed)
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
