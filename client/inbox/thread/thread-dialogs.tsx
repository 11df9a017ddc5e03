import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TemplateSend } from '#client/templates/send-values.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { isPhoneDigits } from '#shared/kernel/phone.ts'
import type { ChosenFile } from '../composer/files/files-dialog.tsx'
import { placeConversation } from '../placing.ts'
import { contactQuery } from '../queries.ts'
import type { Reacting } from './bubble/message-acts.ts'

const ReactionPicker = lazyDialog(() => import('./bubble/reaction-picker.tsx'))
const MessageInfoDialog = lazyDialog(() => import('./bubble/message-info-dialog.tsx'))
const MediaViewer = lazyDialog(() => import('../media/media-viewer.tsx'))
const ForwardDialog = lazyDialog(() => import('./bubble/forward-dialog.tsx'))
const DateDialog = lazyDialog(() => import('../composer/date-dialog.tsx'))
const NoteDialog = lazyDialog(() => import('../composer/notes/note-dialog.tsx'))
const FilesDialog = lazyDialog(() => import('../composer/files/files-dialog.tsx'))
const ContactDialog = lazyDialog(() => import('../contact/contact-dialog.tsx'))
const OptOutDialog = lazyDialog(() => import('../contact/opt-out-dialog.tsx'))
const StartFlowDialog = lazyDialog(() => import('./start-flow-dialog.tsx'))
const SendTemplateDialog = lazyDialog(() => import('#client/templates/send-dialog.tsx'))

/** The dialog that is open over a chat, one at a time. */
export type ThreadDialog =
  | { readonly kind: 'reaction'; readonly reacting: Reacting }
  | { readonly kind: 'files'; readonly files: readonly File[]; readonly caption?: string | undefined }
  | { readonly kind: 'info' | 'forward' | 'media' | 'note'; readonly message: Message }
  | { readonly kind: 'date'; readonly from: string }
  | { readonly kind: 'flow' | 'template' | 'contact' | 'optOut' }

interface ThreadDialogsProps {
  open: ThreadDialog | undefined
  org: string
  conversation: Conversation
  /** All loaded messages. */
  messages: readonly Message[]
  timeZone: string
  onReact: (reacting: Reacting, emoji: string | null) => void
  onFiles: (files: readonly ChosenFile[]) => void
  onNote: (note: Message) => void
  onTemplate: (template: TemplateSend, idempotencyKey: string) => Promise<void>
  canReply: boolean
  onClose: () => void
}

/** Rendered beside a chat, because clicks in a dialog would bubble through its section. */
export const ThreadDialogs = (props: ThreadDialogsProps) => {
  const { open, org, conversation, messages, timeZone, onReact, onFiles, onNote, onTemplate, canReply, onClose } = props
  const client = useQueryClient()
  const { name, freeUntil } = conversation
  const { now } = useMoment()
  const isFree = freeUntil !== undefined && Date.parse(freeUntil) > now
  const address = addressOfConversation(conversation)
  // Optional: without it, nothing is filled in.
  const { data: contact } = useQuery({ ...contactQuery(org, address), enabled: open?.kind === 'template' })
  switch (open?.kind) {
    case undefined:
      return null
    case 'reaction': {
      const { reacting } = open
      const { message, anchor } = reacting
      return (
        <ReactionPicker
          message={message}
          anchor={anchor}
          onPick={emoji => onReact(reacting, emoji)}
          onClose={onClose}
        />
      )
    }
    case 'files':
      return <FilesDialog name={name} files={open.files} caption={open.caption} onSend={onFiles} onClose={onClose} />
    case 'note':
      return <NoteDialog org={org} phone={address} note={open.message} onChanged={onNote} onClose={onClose} />
    case 'info':
      return <MessageInfoDialog org={org} message={open.message} timeZone={timeZone} onClose={onClose} />
    case 'forward':
      return <ForwardDialog org={org} message={open.message} onClose={onClose} />
    case 'media':
      return <MediaViewer messages={messages} start={open.message.id} onClose={onClose} />
    case 'date':
      return <DateDialog org={org} phone={address} from={open.from} onClose={onClose} />
    case 'flow':
      return <StartFlowDialog org={org} phone={address} name={name} onClose={onClose} />
    case 'contact':
      return <ContactDialog org={org} phone={address} name={name} canReply={canReply} onClose={onClose} />
    case 'optOut':
      return (
        <OptOutDialog
          conversation={conversation}
          onChanged={row => placeConversation(client, org, row)}
          onClose={onClose}
        />
      )
    case 'template':
      return (
        <SendTemplateDialog
          name={name}
          phone={isFree || !isPhoneDigits(conversation.phone) ? undefined : conversation.phone}
          contact={contact}
          onSend={onTemplate}
          onClose={onClose}
        />
      )
  }
}
