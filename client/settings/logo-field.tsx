import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { LogoPicker } from '../orgs/logo-picker.tsx'
import { useOrg, viewerQuery } from '../shell/viewer.ts'
import { toast } from '../ui/toasts.tsx'
import { useApi, useFailureText } from '../use-api.ts'

/** The organization's picture: what is chosen is kept at once. */
export function LogoField() {
  const { t } = useTranslation('settings')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [fault, setFault] = useState<string>()
  const [isSaving, save] = useTransition()
  const change = (work: () => Promise<unknown>) =>
    save(async () => {
      setFault(undefined)
      try {
        await work()
        await client.invalidateQueries({ queryKey: viewerQuery.queryKey })
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <LogoPicker
      label={t('logo')}
      name={org.name}
      image={org.logo}
      fault={fault}
      disabled={isSaving}
      onChoose={({ dataBase64 }) => change(() => api.orgSettings.setLogo({ body: { dataBase64 } }))}
      onRemove={() => change(() => api.orgSettings.removeLogo({}))}
    />
  )
}
