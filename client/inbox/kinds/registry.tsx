import type { MessageType } from '#shared/inbox/message-kinds.ts'
import { answerViews } from './answers.tsx'
import { contactsViews } from './contacts.tsx'
import { eventViews } from './events.tsx'
import { FileBody } from './files.tsx'
import { interactiveViews } from './interactive.tsx'
import { internalViews } from './internal.tsx'
import type { BodyProps, KindView } from './kind.ts'
import { locationViews } from './location.tsx'
import { orderViews } from './order.tsx'
import { templateViews } from './template.tsx'
import { textViews } from './text.tsx'
import { unreadableViews } from './unreadable.tsx'

const asFile: KindView = { Body: FileBody }

/** Every kind of message. A missing one does not compile. */
const views: Readonly<Record<MessageType, KindView>> = {
  ...textViews,
  image: asFile,
  video: asFile,
  audio: asFile,
  voice: asFile,
  document: asFile,
  sticker: asFile,
  ...locationViews,
  ...contactsViews,
  ...interactiveViews,
  ...answerViews,
  ...orderViews,
  ...templateViews,
  ...eventViews,
  ...internalViews,
  ...unreadableViews,
  // Only rows of the list show these two.
  reaction: {},
  revoked: {},
}

/** A kind that is newer than the loaded page is drawn by its text and file. */
export const kindView = (type: MessageType): KindView => (Object.hasOwn(views, type) ? views[type] : asFile)

/** The content of a bubble, by the message's kind. */
export const BubbleBody = (props: BodyProps) => {
  const { message, t } = props
  if (message.revokedAt) return <span className="bubble-text revoked">{t('bubble.revoked')}</span>
  const { Body = FileBody } = kindView(message.type)
  return <Body {...props} />
}
