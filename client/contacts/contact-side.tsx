import { ContactCard } from '#client/inbox/contact/contact-card.tsx'

interface ContactSideProps {
  readonly org: string
  /** The address of the contact's chat. */
  readonly address: string
  readonly canReply: boolean
  onClose(): void
}

/** A contact as it is shown beside a chat. */
export default function ContactSide({ org, address, canReply, onClose }: ContactSideProps) {
  return <ContactCard org={org} phone={address} canReply={canReply} onLeave={onClose} />
}
