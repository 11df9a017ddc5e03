import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { ContactCard } from './contact-card.tsx'
import { ContactHead } from './contact-head.tsx'

interface ContactDialogProps {
  readonly org: string
  /** The address of the chat. */
  readonly phone: string
  /** What the contact is called where it was opened. */
  readonly name: string
  readonly canReply: boolean
  onClose(): void
}

/** Who a chat is with, over it: where there is no room beside. */
export default function ContactDialog({ name, onClose, ...card }: ContactDialogProps) {
  return (
    <Modal title={name} place="side" onClose={onClose}>
      <ContactHead onClose={onClose} />
      <ContactCard {...card} onLeave={onClose} />
    </Modal>
  )
}
