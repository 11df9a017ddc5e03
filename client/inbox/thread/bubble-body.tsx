import { Fragment } from 'react'
import { ContactsPart } from '#client/inbox/contact/contacts-part.tsx'
import { MediaPart } from '#client/inbox/media/media-part.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import type { BodyProps } from './body-props.ts'
import { RichText } from './rich-text.tsx'
import { CallPart, FormPart, LocationPart, OrderPart, PermissionPart } from './said-parts.tsx'
import { TemplatePart } from './template-part.tsx'

/** What the customer can tap; here it is only shown. */
const InteractivePart = ({ message, t }: BodyProps) => {
  const { header, footer, buttons, list, link, product } = message.interactive ?? {}
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
        {product ? <li>{t('bubble.product', { id: product.productRetailerId })}</li> : null}
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
    case 'call':
      return <CallPart {...props} />
    case 'choice':
      if (message.choice?.kind === 'permission') return <PermissionPart {...props} />
      return (
        <span className="bubble-text" dir="auto">
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
