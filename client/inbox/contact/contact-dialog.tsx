import { useCloseOnBack } from '#client/ui/overlays/close-on-back.ts'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { ContactCard } from './contact-card.tsx'
import { ContactHead } from './contact-head.tsx'

interface ContactDialogProps {
  readonly org: string
  /** The address of the chat. */
  readonly phone: string
  /** The contact's name where it was opened. */
  readonly name: string
  readonly canReply: boolean
  onClose(): void
}

/** A chat's contact as a dialog, where there is no space beside the chat; on phones a sheet of its own. */
export default function ContactDialog({ name, onClose, ...card }: ContactDialogProps) {
  const close = useCloseOnBack(onClose)
  return (
    <Modal title={name} place="side" onClose={close}>
      <ContactHead onClose={close} isOver />
      <ContactCard {...card} onLeave={onClose} />
    </Modal>
  )
}
