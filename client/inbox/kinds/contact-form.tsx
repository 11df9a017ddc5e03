import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { filled, type KindFormProps } from './composed.ts'

const phoneForm = /^\+?[0-9 ()./-]{3,30}$/
const emailForm = /^[^\s@]+@[^\s@]+$/

/** Composes a contact card. */
export function ContactForm({ isWorking, failure, onSend, onCancel }: KindFormProps) {
  const { t } = useTranslation('inbox')
  const [fields, setFields] = useState({ name: '', phone: '', company: '', email: '' })
  const [fault, setFault] = useState<keyof typeof fields>()
  const set = (name: keyof typeof fields, value: string) => {
    setFields({ ...fields, [name]: value })
    setFault(undefined)
  }
  const submit = () => {
    const { name, phone, company, email } = filled(fields)
    if (!name) return setFault('name')
    if (!phone || !phoneForm.test(phone)) return setFault('phone')
    if (email && !emailForm.test(email)) return setFault('email')
    const card = { name, phones: [phone], ...(company ? { company } : {}), ...(email ? { emails: [email] } : {}) }
    onSend({ type: 'contacts', contacts: [card] })
  }
  return (
    <DialogForm confirm={t('composer.send')} isWorking={isWorking} onSubmit={submit} onCancel={onCancel}>
      {(['name', 'phone', 'company', 'email'] as const).map(name => (
        <Field
          key={name}
          label={t(`kinds.card.${name}`)}
          type={name === 'phone' ? 'tel' : 'text'}
          inputMode={name === 'email' ? 'email' : undefined}
          maxLength={name === 'phone' ? 30 : 200}
          value={fields[name]}
          {...(fault === name ? { fault: t(`kinds.cardFault.${name as 'name' | 'phone' | 'email'}`) } : {})}
          onChange={({ target }) => set(name, target.value)}
        />
      ))}
      {failure ? <Fault>{failure}</Fault> : null}
    </DialogForm>
  )
}
