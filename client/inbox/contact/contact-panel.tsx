import { useLayoutEffect } from 'react'
import { roleCan } from '#shared/kernel/permissions.ts'
import { useRole } from '../thread/thread-access.ts'
import { ContactCard } from './contact-card.tsx'
import { contactSideId, takeAskedFor } from './contact-place.ts'

interface ContactPanelProps {
  readonly org: string
  /** The address of the chat. */
  readonly phone: string
  /** Called if it cannot be loaded. */
  onClose(): void
}

/** The open chat's contact, beside it. Stays open from chat to chat. */
export default function ContactPanel({ org, phone }: ContactPanelProps) {
  const canReply = roleCan(useRole(), 'chat:reply')
  useLayoutEffect(() => {
    if (takeAskedFor()) document.getElementById(contactSideId)?.focus()
  }, [])
  return <ContactCard key={phone} org={org} phone={phone} canReply={canReply} />
}
