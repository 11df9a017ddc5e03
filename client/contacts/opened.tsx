import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { keyFor } from '#client/app/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { ListedContact } from '#shared/contacts/api.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

const ContactSide = lazyDialog(() => import('./contact-side.tsx'))

const key = 'contact'
const addressMaxChars = 160

/** The same address with this contact open, or none. */
const searchWith = (search: string, address: string | undefined): string => {
  const query = new URLSearchParams(search)
  if (address === undefined) query.delete(key)
  else query.set(key, address)
  return query.size ? `?${query}` : ''
}

/** Where a row leads: the list with its contact open, so that Back closes it. */
export const useContactLink = (): ((address: string) => { search: string }) => {
  const { search } = useLocation()
  return address => ({ search: searchWith(search, address) })
}

/** A panel that the address opened has no control to return the focus to: it goes to the contact's row. */
function useFocusOfRow(address: string | undefined): void {
  useEffect(() => {
    if (!address) return
    const query = new URLSearchParams({ [key]: address })
    return () => {
      setTimeout(() => {
        if (document.activeElement !== document.body) return
        document.querySelector<HTMLElement>(`.contact-who a[href*="${CSS.escape(String(query))}"]`)?.focus()
      })
    }
  }, [address])
}

/** The contact that the address opens, `?contact=`. */
export function OpenedContact({ contacts }: { readonly contacts: readonly ListedContact[] }) {
  const { slug, role } = useOrg()
  const { search } = useLocation()
  const navigate = useNavigate()
  const client = useQueryClient()
  const address = new URLSearchParams(search).get(key)?.slice(0, addressMaxChars)
  useFocusOfRow(address)
  if (!address) return null
  const close = () => {
    void navigate({ search: searchWith(search, undefined) }, { replace: true, preventScrollReset: true })
    void client.invalidateQueries({ queryKey: keyFor(slug, 'contacts.listContacts') })
  }
  return (
    <Suspense fallback={null}>
      <ContactSide
        key={address}
        org={slug}
        address={address}
        name={contacts.find(({ conversation }) => addressOfConversation(conversation) === address)?.conversation.name}
        canReply={roleCan(effectiveRole(role), 'chat:reply')}
        onClose={close}
      />
    </Suspense>
  )
}
