import { ChatMute } from './notifications/chat-mute.tsx'

/** What rooms bring to the head of a chat. */
export const ChatTools = ({ org, conversationId }: { org: string; conversationId: string }) => (
  <ChatMute org={org} conversationId={conversationId} />
)
