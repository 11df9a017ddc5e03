import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import { RichText } from '../thread/bubble/rich-text.tsx'
import type { BodyProps, KindViews } from './kind.ts'

const unreadableKey = ({ type, withheld }: Message) =>
  type === 'unsupported'
    ? withheld
      ? (`unreadable.${withheld}` as const)
      : ('unreadable.unsupported' as const)
    : ('unreadable.unknown' as const)

/** A message without readable content: Meta did not deliver it, or this release does not know its kind. Shows what was received. */
const UnreadableBody = ({ message, t }: BodyProps) => (
  <span className="unreadable">
    <span>
      <Icon name="warn" /> {t(unreadableKey(message))}
    </span>
    {message.text ? <RichText text={message.text} /> : null}
    {message.raw ? (
      <details>
        <summary>{t('unreadable.details')}</summary>
        <pre>{message.raw}</pre>
      </details>
    ) : null}
  </span>
)

export const unreadableViews = {
  unsupported: { Body: UnreadableBody },
  unknown: { Body: UnreadableBody },
} satisfies KindViews
