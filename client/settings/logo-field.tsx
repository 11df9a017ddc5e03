import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { logoMaxBytes, logoTypes } from '#shared/org-settings.ts'
import { useOrg, viewerQuery } from '../shell/viewer.ts'
import { Fault } from '../ui/field.tsx'
import { Logo } from '../ui/logo.tsx'
import { toast } from '../ui/toasts.tsx'
import { useApi, useFailureText } from '../use-api.ts'

/** Base64 of a file's bytes. */
const base64Of = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })

/** The organization's picture: shown, replaced, taken away. */
export function LogoField() {
  const { t } = useTranslation('settings')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const id = useId()
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
  const put = (file: File | undefined) => {
    if (!file) return
    if (file.size > logoMaxBytes) return setFault(t('logoTooLarge'))
    change(async () => api.orgSettings.setLogo({ body: { dataBase64: await base64Of(file) } }))
  }
  return (
    <div className="logo-field">
      <Logo name={org.name} image={org.logo} />
      <div className="field">
        <label htmlFor={id}>{t('logo')}</label>
        <input
          id={id}
          type="file"
          accept={logoTypes.join()}
          disabled={isSaving}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            put(target.files?.[0])
            target.value = ''
          }}
        />
        <div id={`${id}-hint`} className="field-hint">
          {t('logoHint')}
        </div>
        {fault ? <Fault>{fault}</Fault> : null}
      </div>
      {org.logo ? (
        <button
          type="button"
          className="button"
          disabled={isSaving}
          onClick={() => change(() => api.orgSettings.removeLogo({}))}
        >
          {t('logoRemove')}
        </button>
      ) : null}
    </div>
  )
}
