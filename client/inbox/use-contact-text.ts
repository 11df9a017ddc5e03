import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState, useTransition } from 'react'
import { toast } from '#client/ui/toasts.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import type { Contact } from '#shared/contacts.ts'
import { contactQuery, placeConversation } from './queries.ts'

export interface ContactTextProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
}

/** One text of a contact that is typed and saved by itself; emptied, there is none. */
export function useContactText({ org, phone, contact }: ContactTextProps, field: 'name' | 'note', saved: string) {
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  /** Undefined: nothing was typed, what is stored is shown. */
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState('')
  const [isSaving, save] = useTransition()
  const value = typed ?? contact[field] ?? ''
  const submit = () =>
    save(async () => {
      setFault('')
      try {
        const changed = await api.contacts.changeContact({ params: { phone }, body: { [field]: value.trim() || null } })
        client.setQueryData(contactQuery(org, phone).queryKey, changed)
        for (const conversation of changed.conversations) placeConversation(client, org, conversation)
        setTyped(undefined)
        toast(saved, { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return {
    value,
    fault,
    isSaving,
    onChange: ({ target }: { target: { value: string } }) => setTyped(target.value),
    onSubmit(event: FormEvent) {
      event.preventDefault()
      if (!isSaving) submit()
    },
  }
}
