import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { signatureMaxChars } from '#shared/auth/profile.ts'
import { renamePerson } from '../app/auth-api.ts'
import { useApi } from '../app/use-api.ts'
import { LogoPicker } from '../orgs/logo-picker.tsx'
import { useViewer } from '../shell/viewer.ts'
import { SaveButton } from './save-button.tsx'
import { useSaving } from './use-saving.ts'

/** A chosen picture is saved at once. */
export function PersonPicture() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const api = useApi()
  const { fault, isSaving, save } = useSaving()
  return (
    <LogoPicker
      label={t('picture')}
      name={user.name}
      image={user.image}
      shown={<Avatar name={user.name} of={user.id} image={user.image} />}
      fault={fault}
      disabled={isSaving}
      onChoose={({ dataBase64 }) => save(() => api.profile.setPicture({ body: { dataBase64 } }))}
      onRemove={() => save(() => api.profile.removePicture({}))}
    />
  )
}

export function PersonName() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const [name, setName] = useState(user.name)
  const { fault, isSaving, save } = useSaving()
  const canSave = name !== user.name && !isSaving
  return (
    <form className="form" action={() => (canSave ? save(() => renamePerson(name)) : undefined)} noValidate>
      <Field
        label={t('personName')}
        hint={t('personNameHint')}
        autoComplete="name"
        maxLength={80}
        value={name}
        fault={fault}
        onChange={({ target }) => setName(target.value)}
      />
      <Field label={t('email')} hint={t('emailHint')} value={user.email} readOnly />
      <SaveButton canSave={canSave} onDiscard={() => setName(user.name)} />
    </form>
  )
}

/** The signature below messages the person writes. */
export function Signature() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const api = useApi()
  const id = useId()
  const [signature, setSignature] = useState(user.signature)
  const { fault, isSaving, save } = useSaving()
  const canSave = signature.trim() !== user.signature && !isSaving
  return (
    <form
      className="form"
      action={() => (canSave ? save(() => api.profile.setSignature({ body: { signature } })) : undefined)}
      noValidate
    >
      <div className="field">
        <label htmlFor={id}>{t('signature')}</label>
        <textarea
          dir="auto"
          id={id}
          rows={2}
          maxLength={signatureMaxChars}
          value={signature}
          aria-invalid={Boolean(fault)}
          aria-describedby={`${id}-hint${fault ? ` ${id}-fault` : ''}`}
          onChange={({ target }) => setSignature(target.value)}
        />
        <div id={`${id}-hint`} className="field-hint">
          {t('signatureHint')} {t('signatureCount', { count: signature.length, most: signatureMaxChars })}
        </div>
        {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
      </div>
      <SaveButton canSave={canSave} onDiscard={() => setSignature(user.signature)} />
    </form>
  )
}
