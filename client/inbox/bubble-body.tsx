import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/icon.tsx'
import { isPlainPress } from '#client/ui/link-presses.ts'
import { quietPart } from '#client/ui/quiet-part.tsx'
import type { Media, Message } from '#shared/inbox.ts'
import { priceText } from './price.ts'
import { RichText } from './rich-text.tsx'
import { TemplatePart } from './template-part.tsx'
import { type InboxT, kindIcon } from './words.ts'

const BrowsersPlayer = ({ src, label }: { src: string; label: string; bytes: number | null }) => (
  // biome-ignore lint/a11y/useMediaCaption: a customer's recording has none
  <audio src={src} controls preload="metadata" aria-label={label} />
)
const VoicePlayer = quietPart(() => import('#client/voice/player.tsx'), BrowsersPlayer)

const kilobyte = 1024
const sizeOf = (bytes: number | null): string => {
  if (bytes === null) return ''
  if (bytes < kilobyte) return `${bytes} B`
  if (bytes < kilobyte * kilobyte) return `${Math.round(bytes / kilobyte)} KB`
  return `${(bytes / kilobyte / kilobyte).toFixed(1)} MB`
}

const extensionOf = (media: Media) =>
  media.name?.split('.').pop()?.toUpperCase().slice(0, 5) ?? media.mime.split('/').pop()?.toUpperCase().slice(0, 5)

const MissingMedia = ({ message, t, onRetryMedia }: BodyProps) => {
  const failed = message.media?.state === 'failed'
  return (
    <span className="media-missing" role="status">
      <Icon name={kindIcon[message.type] ?? 'file'} />
      <span>{failed ? t('media.failed') : t('media.pending')}</span>
      {failed && onRetryMedia ? (
        <button type="button" className="link" onClick={() => onRetryMedia(message)}>
          {t('action.retry')}
        </button>
      ) : null}
    </span>
  )
}

const MediaPart = (props: BodyProps) => {
  const { message, t, onView } = props
  const media = message.media
  if (!media) return null
  if (media.state !== 'stored') return <MissingMedia {...props} />
  if (message.type === 'image' || message.type === 'sticker')
    return (
      <a
        className={`picture picture-${message.type}`}
        href={media.url}
        target="_blank"
        rel="noopener"
        aria-label={t('media.open')}
        onClick={event => {
          if (!onView || !isPlainPress(event)) return
          event.preventDefault()
          onView(message)
        }}
      >
        <img src={media.url} alt={message.text || t(`kind.${message.type}`)} loading="lazy" decoding="async" />
      </a>
    )
  if (message.type === 'video')
    // biome-ignore lint/a11y/useMediaCaption: a customer's recording has none
    return <video className="picture picture-video" src={media.url} controls preload="metadata" />
  if (message.type === 'audio' || message.type === 'voice')
    return (
      <span className="voice">
        <Icon name="mic" />
        <VoicePlayer src={media.url} bytes={media.size} label={t(`kind.${message.type}`)} />
      </span>
    )
  return (
    <a className="document" href={media.url} target="_blank" rel="noopener" download={media.name ?? true}>
      <Icon name="file" />
      <span className="cut">
        {media.name ?? t('kind.document')}
        <small>{[extensionOf(media), sizeOf(media.size)].filter(Boolean).join(' · ')}</small>
      </span>
      <Icon name="download" />
    </a>
  )
}

const LocationPart = ({ message, t }: BodyProps) => {
  const place = message.location
  if (!place) return null
  const point = `${place.latitude},${place.longitude}`
  return (
    <a
      className="document"
      href={`https://www.openstreetmap.org/?mlat=${place.latitude}&mlon=${place.longitude}#map=17/${place.latitude}/${place.longitude}`}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Icon name="pin" />
      <span className="cut">
        {place.name ?? t('kind.location')}
        <small>{place.address ?? point}</small>
      </span>
    </a>
  )
}

const ContactsPart = ({ message }: BodyProps) =>
  message.contacts?.map((card, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
    <span className="document" key={i}>
      <Icon name="card" />
      <span className="cut">
        {card.name}
        <small>{[card.company, ...card.phones, ...card.emails].filter(Boolean).join(' · ')}</small>
      </span>
    </span>
  ))

/** What the customer can tap; here it is only shown. */
const InteractivePart = ({ message, t }: BodyProps) => {
  const { header, footer, buttons, list, link } = message.interactive ?? {}
  return (
    <>
      {header ? <b className="bubble-title">{header}</b> : null}
      <RichText text={message.text} />
      {footer ? <small className="bubble-footer">{footer}</small> : null}
      <ul className="options" aria-label={t('bubble.options')}>
        {link ? (
          <li>
            <a href={link.url} target="_blank" rel="noopener noreferrer nofollow">
              {link.title}
            </a>
          </li>
        ) : null}
        {buttons?.map(button => (
          <li key={button.id}>{button.title}</li>
        ))}
        {list?.sections.map((section, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the sections of one message never move
          <Fragment key={i}>
            {section.title ? <li className="options-title">{section.title}</li> : null}
            {section.rows.map(row => (
              <li key={row.id}>
                {row.title}
                {row.description ? <small>{row.description}</small> : null}
              </li>
            ))}
          </Fragment>
        ))}
      </ul>
    </>
  )
}

const OrderPart = ({ message, t }: BodyProps) => {
  const { i18n } = useTranslation()
  const order = message.order
  if (!order) return null
  return (
    <span className="told">
      <b>{t('kind.order')}</b>
      {order.items.map(item => (
        <span key={item.sku}>
          {item.quantity} × {item.sku} · {priceText(item, i18n.language)}
        </span>
      ))}
      {order.note ? <i>{order.note}</i> : null}
    </span>
  )
}

const FormPart = ({ message, t }: BodyProps) => {
  if (!message.form) return null
  return (
    <span className="told">
      <b>{t('kind.form')}</b>
      {message.form.fields.map(field => (
        <span key={field.key}>
          <span>{field.key}:</span> {field.value}
        </span>
      ))}
    </span>
  )
}

const unreadableKey = ({ type, withheld }: Message) =>
  type === 'unsupported'
    ? withheld
      ? (`unreadable.${withheld}` as const)
      : ('unreadable.unsupported' as const)
    : ('unreadable.unknown' as const)

/** A kind Meta could not pass on, or one that came after this release: said plainly, with what was received. */
const UnknownPart = ({ message, t }: BodyProps) => (
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

export interface BodyProps {
  message: Message
  t: InboxT
  onRetryMedia?: ((message: Message) => void) | undefined
  /** Shows a picture as large as the screen; absent: it opens by itself. */
  onView?: ((message: Message) => void) | undefined
}

/** What a bubble holds, by kind. */
export const BubbleBody = (props: BodyProps) => {
  const { message, t } = props
  if (message.revokedAt) return <span className="bubble-text revoked">{t('bubble.revoked')}</span>
  switch (message.type) {
    case 'text':
      return <RichText text={message.text} />
    case 'unsupported':
    case 'unknown':
      return <UnknownPart {...props} />
    case 'location':
      return <LocationPart {...props} />
    case 'contacts':
      return <ContactsPart {...props} />
    case 'interactive':
      return <InteractivePart {...props} />
    case 'template':
      return <TemplatePart {...props} />
    case 'order':
      return <OrderPart {...props} />
    case 'form':
      return <FormPart {...props} />
    case 'choice':
      return (
        <span className="bubble-text">
          <span className="chose">{t('kind.choice')}</span> {message.choice?.title ?? message.text}
          {message.choice?.description ? <small>{message.choice.description}</small> : null}
        </span>
      )
    default:
      return (
        <>
          <MediaPart {...props} />
          {message.text && message.text !== message.media?.name ? <RichText text={message.text} /> : null}
        </>
      )
  }
}
