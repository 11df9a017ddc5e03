import { useTranslation } from 'react-i18next'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { ScheduleForm } from './form.tsx'

interface ScheduleDialogProps {
  readonly conversation: Conversation
  /** The unsent text. */
  readonly text: string
  onScheduled(): void
  onClose(): void
}

/** Schedules a message. */
export default function ScheduleDialog({ conversation, text, onScheduled, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation('inbox')
  return (
    <Modal title={t('scheduled.title', { name: conversation.name })} onClose={onClose}>
      <ScheduleForm
        phone={addressOfConversation(conversation)}
        windowClosesAt={conversation.windowClosesAt}
        text={text}
        onSaved={() => {
          onScheduled()
          onClose()
        }}
        onCancel={onClose}
      />
    </Modal>
  )
}
