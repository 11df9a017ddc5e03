import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { viewerQuery } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'

/** Saves settings, confirms and reloads them. `fault`: why it failed. */
export const useSaving = () => {
  const { t } = useTranslation('settings')
  const client = useQueryClient()
  const failureText = useFailureText()
  const [fault, setFault] = useState<string>()
  const [isSaving, start] = useWork()
  const save = (work: () => Promise<unknown>) =>
    start(async () => {
      setFault(undefined)
      try {
        await work()
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      } finally {
        // Also after a failure: a part of it may be stored.
        await client.invalidateQueries({ queryKey: viewerQuery.queryKey })
      }
    })
  return { fault, isSaving, save }
}
