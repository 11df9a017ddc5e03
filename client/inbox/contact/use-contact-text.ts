import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState, useTransition } from 'react'
import { createScopedStore } from '#client/app/scoped-store.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { contactQuery, placeConversation } from '#client/inbox/queries.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { Contact } from '#shared/contacts/api.ts'

export interface ContactTextProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
}

/** Typed and unsaved texts, by contact and field, so that visiting another chat loses nothing. */
const typedTexts = createScopedStore<{ readonly text?: string }>({})

interface TextOfContact {
  readonly field: 'name' | 'note'
  /** Shown when it is stored. */
  readonly saved: string
  onSaved?(): void
}

/** One text of a contact that is saved separately. Cleared, there is none. */
export function useContactText({ org, phone, contact }: ContactTextProps, { field, saved, onSaved }: TextOfContact) {
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  const scope = `${contact.id} ${field}`
  /** Undefined: nothing was typed; the stored text is shown. */
  const { text: typed } = typedTexts.use(scope)
  const [fault, setFault] = useState('')
  const [isSaving, save] = useTransition()
  const stored = contact[field] ?? ''
  const value = typed ?? stored
  const discard = () => {
    typedTexts.write(scope, {})
    setFault('')
  }
  const submit = () =>
    save(async () => {
      setFault('')
      try {
        const changed = await api.contacts.changeContact({ params: { phone }, body: { [field]: value.trim() || null } })
        client.setQueryData(contactQuery(org, phone).queryKey, changed)
        for (const conversation of changed.conversations) placeConversation(client, org, conversation)
        discard()
        toast(saved, { kind: 'success' })
        onSaved?.()
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return {
    value,
    fault,
    isSaving,
    isChanged: value.trim() !== stored,
    discard,
    onChange: ({ target }: { target: { value: string } }) => typedTexts.write(scope, { text: target.value }),
    onSubmit(event: FormEvent) {
      event.preventDefault()
      if (!isSaving) submit()
    },
  }
}
