import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { LogoPicker } from '#client/orgs/logo-picker.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { useSaving } from '../use-saving.ts'

/** The organization's picture. A chosen picture is saved at once. */
export function LogoField() {
  const { t } = useTranslation('settings')
  const org = useOrg()
  const api = useApi()
  const { fault, isSaving, save } = useSaving()
  return (
    <LogoPicker
      label={t('logo')}
      name={org.name}
      image={org.logo}
      fault={fault}
      disabled={isSaving}
      onChoose={({ dataBase64 }) => save(() => api.orgSettings.setLogo({ body: { dataBase64 } }))}
      onRemove={() => save(() => api.orgSettings.removeLogo({}))}
    />
  )
}
