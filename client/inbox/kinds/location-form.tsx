import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { filled, type KindFormProps } from './composed.ts'
import { readCoordinates } from './coordinates.ts'

/** Composes a place, typed as coordinates or as a link of a map. */
export function LocationForm({ isWorking, failure, onSend, onCancel }: KindFormProps) {
  const { t } = useTranslation('inbox')
  const [place, setPlace] = useState('')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [fault, setFault] = useState<'place' | 'name'>()
  const at = readCoordinates(place)
  const submit = () => {
    if (!at) return setFault('place')
    // WhatsApp shows an address only below a name.
    if (address.trim() && !name.trim()) return setFault('name')
    onSend({ type: 'location', location: { ...at, ...filled({ name, address }) } })
  }
  return (
    <DialogForm confirm={t('composer.send')} isWorking={isWorking} onSubmit={submit} onCancel={onCancel}>
      <Field
        label={t('kinds.place')}
        hint={at ? t('kinds.placeFound', { ...at }) : t('kinds.placeHint')}
        value={place}
        maxLength={2000}
        {...(fault === 'place' ? { fault: t('kinds.placeMissing') } : {})}
        onChange={({ target }) => {
          setPlace(target.value)
          setFault(undefined)
        }}
      />
      <Field
        label={t('kinds.placeName')}
        value={name}
        maxLength={1000}
        {...(fault === 'name' ? { fault: t('kinds.placeNameMissing') } : {})}
        onChange={({ target }) => {
          setName(target.value)
          setFault(undefined)
        }}
      />
      <Field
        label={t('kinds.address')}
        value={address}
        maxLength={1000}
        onChange={({ target }) => setAddress(target.value)}
      />
      {failure ? <Fault>{failure}</Fault> : null}
    </DialogForm>
  )
}
