import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState, useTransition } from 'react'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { createScopedStore } from '#client/app/input/scoped-store.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { Contact } from '#shared/contacts/chat-contact.ts'
import { useDraftScope } from '../composer/drafts/use-draft-scope.ts'
import { placeConversation } from '../placing.ts'
import { contactQuery } from '../queries.ts'

export interface ContactTextProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
}

interface Typed {
  /** Absent: the stored text is shown. */
  readonly text?: string
  /** The stored text when the typing began. */
  readonly base?: string
}

const notePrefix = 'recado:contact-note:'

/**
 * Typed and unsaved texts, by person and contact, so that visiting another chat loses nothing. Notes also survive a
 * reload, as long as the tab is open: nothing about a person stays in the browser. An emptied note is kept as empty,
 * because saving it deletes the note.
 */
const typedTexts = {
  name: createScopedStore<Typed>({}),
  note: createScopedStore<Typed>(
    {},
    {
      prefix: notePrefix,
      scopeOf: rest => rest,
      load(scope) {
        const kept = sessionStorage.getItem(notePrefix + scope)
        return kept === null ? {} : (JSON.parse(kept) as Typed)
      },
      save(scope, typed) {
        if (typed.text === undefined || typed.text.trim() === typed.base) sessionStorage.removeItem(notePrefix + scope)
        else sessionStorage.setItem(notePrefix + scope, JSON.stringify(typed))
      },
    },
  ),
}

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
  const scope = `${useDraftScope()}:${contact.id}`
  const texts = typedTexts[field]
  const { text: typed, base } = texts.use(scope)
  const [fault, setFault] = useState('')
  const [isSaving, save] = useTransition()
  const stored = contact[field] ?? ''
  const value = typed ?? stored
  const isChanged = value.trim() !== stored
  const discard = () => {
    texts.write(scope, {})
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
    isChanged,
    /**
     * The text that somebody else stored after the typing began. Saving would replace it. Undefined if nobody did.
     */
    changedTo: isChanged && base !== undefined && base !== stored ? stored : undefined,
    discard,
    onChange: ({ target }: { target: { value: string } }) =>
      texts.write(scope, target.value === stored ? {} : { text: target.value, base: base ?? stored }),
    onSubmit(event: FormEvent) {
      event.preventDefault()
      if (!isSaving) submit()
    },
  }
}
