import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { renamePerson } from '#client/app/calls/auth-api.ts'
import { useApi } from '#client/app/calls/use-api.ts'
import { useTyped } from '#client/app/input/use-typed.ts'
import { LogoPicker } from '#client/orgs/logo-picker.tsx'
import { useViewer } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { signatureMaxChars } from '#shared/auth/profile.ts'
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

/** The person's name, and the signature below messages they write. */
export function PersonForm() {
  const { t } = useTranslation('settings')
  const { user } = useViewer()
  const api = useApi()
  const id = useId()
  const [name, setName] = useTyped(user.name)
  const [signature, setSignature] = useTyped(user.signature)
  const [faulty, setFaulty] = useState<'name' | 'signature'>()
  const { fault, isSaving, save } = useSaving()
  const isRenamed = name.trim() !== user.name
  const isSigned = signature.trim() !== user.signature
  const canSave = (isRenamed || isSigned) && !isSaving
  const submit = () =>
    save(async () => {
      setFaulty('name')
      if (isRenamed) await renamePerson(name)
      setFaulty('signature')
      if (isSigned) await api.profile.setSignature({ body: { signature } })
    })
  const signatureFault = faulty === 'signature' ? fault : undefined
  return (
    <form className="form" action={() => (canSave ? submit() : undefined)} noValidate>
      <Field
        label={t('personName')}
        hint={t('personNameHint')}
        autoComplete="name"
        maxLength={80}
        value={name}
        fault={faulty === 'name' ? fault : undefined}
        onChange={({ target }) => setName(target.value)}
      />
      <Field label={t('email')} hint={t('emailHint')} value={user.email} readOnly />
      <div className="field">
        <label htmlFor={id}>{t('signature')}</label>
        <textarea
          dir="auto"
          id={id}
          rows={2}
          maxLength={signatureMaxChars}
          value={signature}
          aria-invalid={Boolean(signatureFault)}
          aria-describedby={`${id}-hint${signatureFault ? ` ${id}-fault` : ''}`}
          onChange={({ target }) => setSignature(target.value)}
        />
        <div id={`${id}-hint`} className="field-hint">
          {t('signatureHint')} {t('signatureCount', { count: signature.length, most: signatureMaxChars })}
        </div>
        {signatureFault ? <Fault id={`${id}-fault`}>{signatureFault}</Fault> : null}
      </div>
      <SaveButton
        canSave={canSave}
        onDiscard={() => {
          setName(user.name)
          setSignature(user.signature)
        }}
      />
    </form>
  )
}
