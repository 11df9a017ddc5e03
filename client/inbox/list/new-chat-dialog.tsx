import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { CountryCode } from 'libphonenumber-js/max'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { queryFor } from '#client/app/queries.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { readPhone, showPhone } from '#shared/kernel/phone-reader.ts'
import { defaultCountry } from '#shared/orgs/setting-fields.ts'

interface NewChatDialogProps {
  readonly org: string
  onClose(): void
}

/** Asks for a number, shows how it is understood, and opens its chat or a new one. */
export default function NewChatDialog({ org, onClose }: NewChatDialogProps) {
  const { t, i18n } = useTranslation('inbox')
  const navigate = useNavigate()
  const client = useQueryClient()
  const settings = queryFor(org, 'orgSettings.getSettings', {})
  const { data } = useQuery(settings)
  const [typed, setTyped] = useState('')
  const [isFault, setIsFault] = useState(false)
  const country = data?.country ?? defaultCountry
  const place = new Intl.DisplayNames(i18n.language, { type: 'region' }).of(country) ?? country
  const meant = data && readPhone(typed, data.country as CountryCode)
  const submit = async () => {
    const known = await client.ensureQueryData(settings).catch(() => ({ country: defaultCountry }))
    const phone = readPhone(typed, known.country as CountryCode)
    if (!phone) return setIsFault(true)
    onClose()
    void navigate(paths.chat(org, phone))
  }
  return (
    <Modal title={t('newChat.title')} onClose={onClose}>
      <DialogForm confirm={t('newChat.open')} isWorking={false} onSubmit={() => void submit()} onCancel={onClose}>
        <Field
          label={t('newChat.number')}
          type="tel"
          autoFocus
          autoComplete="off"
          hint={
            <span role="status">
              {meant ? t('newChat.dialled', { number: showPhone(meant) }) : t('newChat.hint', { country: place })}
            </span>
          }
          value={typed}
          {...(isFault ? { fault: t('newChat.fault', { country: place }) } : {})}
          onChange={event => {
            setTyped(event.target.value)
            setIsFault(false)
          }}
        />
      </DialogForm>
    </Modal>
  )
}
