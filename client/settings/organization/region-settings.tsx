import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { RegionFields } from '#client/orgs/region-fields.tsx'
import { orgSettingsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { SaveButton } from '../save-button.tsx'

/** Time zone, language and phone country of the organization. */
export function RegionSettings() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { timeZone, language, country } = useAnswer(orgSettingsQuery(org.slug))
  const stored = { timeZone, language, country }
  const [typed, setTyped] = useTyped(stored)
  const [fault, setFault] = useState<string>()
  const [isSaving, save] = useWork()
  const isChanged = JSON.stringify(typed) !== JSON.stringify(stored)
  const canSave = isChanged && !isSaving
  const submit = () =>
    save(async () => {
      setFault(undefined)
      try {
        const answer = await api.orgSettings.changeSettings({ body: typed })
        client.setQueryData(orgSettingsQuery(org.slug).queryKey, answer)
        setTyped({ timeZone: answer.timeZone, language: answer.language, country: answer.country })
        // They depend on the time zone.
        await client.invalidateQueries({ queryKey: keyFor(org.slug, 'orgSettings.getBusinessHours') })
        toast(t('saved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <form className="form" action={() => (canSave ? submit() : undefined)} noValidate>
      <p>{t('region.text')}</p>
      <RegionFields value={typed} onChange={setTyped} />
      {fault ? <Fault>{fault}</Fault> : null}
      <SaveButton
        canSave={canSave}
        onDiscard={() => {
          setTyped(stored)
          setFault(undefined)
        }}
      />
    </form>
  )
}
