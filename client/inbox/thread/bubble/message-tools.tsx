import type { MouseEvent } from 'react'
import { copyText } from '#client/ui/controls/copy-button.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import type { InboxT } from '../../words.ts'
import { canForward } from './forward-body.ts'
import type { MessageActs } from './message-acts.ts'

const toolIcons = {
  reply: 'reply',
  react: 'smile',
  forward: 'forward',
  copy: 'copy',
  why: 'flow',
  info: 'info',
} as const
type Tool = keyof typeof toolIcons
type Tools = Readonly<Record<Tool, boolean>>

const allTools = Object.keys(toolIcons) as Tool[]
const opensDialog: ReadonlySet<Tool> = new Set(['react', 'forward', 'info'])

/** Tools for a received or sent message. */
export const toolsOf = (message: Message, { onReply, onReact, onForward }: MessageActs): Tools => {
  const isThere = message.wamid !== null && !message.revokedAt
  return {
    reply: isThere && Boolean(onReply),
    react: isThere && Boolean(onReact),
    forward: Boolean(onForward) && canForward(message),
    copy: message.text !== '' && !message.revokedAt,
    // Messages of the product itself have no flow.
    why: isThere && message.author?.kind === 'bot' && message.author.name !== null,
    // An unsent message has no details on the server.
    info: message.direction === 'out' && message.id !== message.clientKey,
  }
}

interface MessageToolsProps {
  message: Message
  tools: Tools
  acts: MessageActs
  t: InboxT
}

/** The tools beside a message. Adding or removing one does not move the others. */
export const MessageTools = ({ message, tools, acts, t }: MessageToolsProps) => {
  const press: Record<Tool, (event: MouseEvent<HTMLElement>) => void> = {
    reply: () => acts.onReply?.(message),
    react: ({ currentTarget }) => acts.onReact?.({ message, anchor: currentTarget }),
    forward: () => acts.onForward?.(message),
    copy: () => void copyText(message.text, { done: t('info.copied'), failed: t('info.notCopied') }),
    why: () => acts.onWhy(message),
    info: () => acts.onInfo(message),
  }
  return (
    <span className="bubble-tools">
      {allTools
        .filter(tool => tools[tool])
        .map(tool => (
          <button
            key={tool}
            type="button"
            className="icon-button bubble-reply"
            aria-label={t(`action.${tool}`)}
            title={t(`action.${tool}`)}
            aria-haspopup={opensDialog.has(tool) ? 'dialog' : undefined}
            onClick={press[tool]}
          >
            <Icon name={toolIcons[tool]} />
          </button>
        ))}
    </span>
  )
}
