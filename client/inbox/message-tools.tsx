import type { MouseEvent } from 'react'
import { copyText } from '#client/ui/copy-button.tsx'
import { type Html, html } from '#client/ui/html.ts'
import { iconHtml } from '#client/ui/icon-html.ts'
import { createKeptHtml } from '#client/ui/kept-html.ts'
import { useMarkup } from '#client/ui/markup.tsx'
import type { Message } from '#shared/inbox.ts'
import type { MessageActs } from './bubble.tsx'
import { canForward } from './forward-body.ts'
import type { InboxT } from './words.ts'

const toolIcons = {
  reply: 'reply',
  react: 'smile',
  forward: 'forward',
  copy: 'copy',
  why: 'flow',
  info: 'info',
} as const
type Tools = Readonly<Record<keyof typeof toolIcons, boolean>>

/** What can be done to a message that has arrived, or that we sent. */
export const toolsOf = (message: Message, { onReply, onReact, onForward }: MessageActs): Tools => {
  const isThere = message.wamid !== null && !message.revokedAt
  return {
    reply: isThere && Boolean(onReply),
    react: isThere && Boolean(onReact),
    forward: Boolean(onForward) && canForward(message),
    copy: message.text !== '' && !message.revokedAt,
    // What the product says by itself has no name.
    why: isThere && message.author?.kind === 'bot' && message.author.name !== null,
    // What still lies in this browser nobody knows anything of.
    info: message.direction === 'out' && message.id !== message.clientKey,
  }
}

const keepTools = createKeptHtml<InboxT>()

const toolHtml = (act: keyof typeof toolIcons, label: string, more: Html | null) =>
  html`<button type="button" class="icon-button bubble-reply" data-act="${act}" aria-label="${label}" title="${label}"${more}>${iconHtml(toolIcons[act])}</button>`

/** The same for all messages of a chat, so it is never drawn anew beneath a pointer. */
const toolsHtml = (t: InboxT, can: Tools): Html =>
  keepTools(t, [can.reply, can.react, can.forward, can.copy, can.why, can.info], () => {
    const opens = html` aria-haspopup="dialog"`
    return html`${can.reply && toolHtml('reply', t('action.reply'), null)}${can.react && toolHtml('react', t('action.react'), opens)}${can.forward && toolHtml('forward', t('action.forward'), opens)}${can.copy && toolHtml('copy', t('action.copy'), null)}${can.why && toolHtml('why', t('action.why'), null)}${can.info && toolHtml('info', t('action.info'), opens)}`
  })

interface MessageToolsProps {
  message: Message
  tools: Tools
  acts: MessageActs
  t: InboxT
}

/** What one can do to a message, beside it. */
export const MessageTools = ({ message, tools, acts, t }: MessageToolsProps) => {
  const markup = useMarkup(toolsHtml(t, tools))
  const press = ({ target }: MouseEvent) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('button') : null
    if (button?.dataset.act === 'reply') acts.onReply?.(message)
    else if (button?.dataset.act === 'forward') acts.onForward?.(message)
    else if (button?.dataset.act === 'copy')
      void copyText(message.text, { done: t('info.copied'), failed: t('info.notCopied') })
    else if (button?.dataset.act === 'why') acts.onWhy(message)
    else if (button?.dataset.act === 'info') acts.onInfo(message)
    else if (button) acts.onReact?.({ message, anchor: button })
  }
  // biome-ignore lint/a11y/noStaticElementInteractions: the buttons in it are pressed
  // biome-ignore lint/a11y/useKeyWithClickEvents: a button's key is a click
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  return <span className="bubble-tools" data-presses="" onClick={press} dangerouslySetInnerHTML={markup} />
}
