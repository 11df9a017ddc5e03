import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useWork } from '#client/app/use-work.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { useFailureText } from '../app/use-api.ts'
import { viewerQuery } from '../shell/viewer.ts'

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
        await client.invalidateQueries({ queryKey: viewerQuery.queryKey })
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return { fault, isSaving, save }
}
