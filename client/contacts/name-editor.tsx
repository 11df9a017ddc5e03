import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { contactNameMaxChars } from '#shared/contacts/chat-contact.ts'

interface NameEditorProps {
  readonly address: string
  readonly name: string
  /** Shown below the field: what they call themselves in WhatsApp. */
  readonly profileName: string | null
  onSaved(): Promise<unknown>
  onClose(): void
}

const selectOnce = (field: HTMLInputElement | null) => field?.select()

/** The name of a contact, as a field in its row. Enter saves, Escape leaves it as it was. */
export function NameEditor({ address, name, profileName, onSaved, onClose }: NameEditorProps) {
  const { t } = useTranslation('contacts')
  const api = useApi()
  const failureText = useFailureText()
  const [typed, setTyped] = useState(name)
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useTransition()
  /** Escape and a save that is under way end the editing; leaving the field then is no second one. */
  const isOver = useRef(false)
  const leave = () => {
    isOver.current = true
    onClose()
  }
  const submit = () => {
    const next = typed.trim()
    if (!next || next === name) return leave()
    save(async () => {
      setFailure(undefined)
      try {
        await api.contacts.changeContact({ params: { phone: address }, body: { name: next } })
      } catch (error) {
        return setFailure(failureText(error))
      }
      toast(t('edit.saved', { name: next }), { kind: 'success' })
      await onSaved()
      leave()
    })
  }
  return (
    <form
      className="field contact-rename"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isSaving) submit()
      }}
    >
      <input
        ref={selectOnce}
        aria-label={t('new.name')}
        aria-invalid={failure !== undefined}
        dir="auto"
        autoComplete="off"
        maxLength={contactNameMaxChars}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={event => {
          if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
          event.stopPropagation()
          leave()
        }}
        onBlur={() => isOver.current || isSaving || submit()}
      />
      {failure ? <Fault>{failure}</Fault> : null}
      <small>
        {profileName && profileName !== name ? t('edit.inWhatsapp', { name: profileName }) : t('edit.keys')}
      </small>
    </form>
  )
}
