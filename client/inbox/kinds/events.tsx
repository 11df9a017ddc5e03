import { Icon } from '#client/ui/pictures/icon.tsx'
import { clockTime, countdown } from '#shared/kernel/time.ts'
import { callText, messagePreview, newsText } from '../words.ts'
import type { BodyProps, KindViews, LineProps } from './kind.ts'

/** A centered line about an event in the chat. */
export const EventLine = ({ message, timeZone, t }: LineProps) => (
  <div className="happened" data-message={message.id}>
    <Icon name="info" />
    <span>
      {message.type === 'system' ? newsText(t, message) : messagePreview(t, message)} ·{' '}
      <time dateTime={message.at}>{clockTime(message.at, timeZone)}</time>
    </span>
  </div>
)

const CallBody = ({ message, t }: BodyProps) => {
  const seconds = message.call?.seconds
  return (
    <span className={message.call?.outcome === 'answered' ? 'call-part' : 'call-part call-missed'}>
      <Icon name="phone" />
      <span>
        {callText(t, message)}
        {seconds === undefined ? null : ` · ${countdown(seconds * 1000)}`}
      </span>
    </span>
  )
}

/** Views of events in the chat, such as calls. */
export const eventViews = {
  welcome: { Line: EventLine },
  system: { Line: EventLine },
  call: { Body: CallBody },
} satisfies KindViews
