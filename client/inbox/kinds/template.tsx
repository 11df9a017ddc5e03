import { useState } from 'react'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { SentTemplate } from '#shared/outbound/api.ts'
import { isFileAddress } from '#shared/templates/files.ts'
import { StoredPicture } from '../media/stored-picture.tsx'
import { RichText } from '../thread/bubble/rich-text.tsx'
import { type InboxT, iconOf } from '../words.ts'
import type { BodyProps, KindViews } from './kind.ts'

type SentMedia = NonNullable<SentTemplate['media']>

const kinds = { IMAGE: 'image', VIDEO: 'video', DOCUMENT: 'document', LOCATION: 'location' } as const
const kindOf = (format: string) => (Object.hasOwn(kinds, format) ? kinds[format as keyof typeof kinds] : 'document')

const nameIn = (url: string): string => {
  try {
    return decodeURIComponent(url.split(/[?#]/)[0]?.split('/').pop() ?? '')
  } catch {
    return ''
  }
}

/** A header's image, video, document or location; a link if the file is elsewhere. */
const HeaderMedia = ({ media: { format, url, name }, t }: { media: SentMedia; t: InboxT }) => {
  const kind = kindOf(format)
  const [isBroken, setBroken] = useState(false)
  // A file that we store: its address contains no name, so it can be shown.
  const isKept = url !== undefined && isFileAddress(url)
  if (isKept && kind === 'image' && !isBroken)
    return (
      <a className="bubble-header-picture" href={url} target="_blank" rel="noopener">
        <StoredPicture src={url} alt={t('kind.image')} onBroken={() => setBroken(true)} />
      </a>
    )
  const inside = (
    <>
      <Icon name={iconOf(kind) ?? 'file'} />
      <span className="cut">
        {name ? <bdi>{name}</bdi> : t(`kind.${kind}`)}
        {url && !isKept ? <small className="cut">{nameIn(url) || url}</small> : null}
      </span>
    </>
  )
  return url ? (
    <a className="document" href={url} target="_blank" rel="noopener noreferrer nofollow">
      {inside}
    </a>
  ) : (
    <span className="document">{inside}</span>
  )
}

/** WhatsApp sets the label of a code button. */
const Buttons = ({ buttons, t }: { buttons: SentTemplate['buttons']; t: InboxT }) =>
  buttons.length ? (
    <ul className="options" aria-label={t('bubble.options')}>
      {buttons.map(({ text, url }) => (
        <li key={`${text} ${url}`}>
          {url ? (
            <a href={url} target="_blank" rel="noopener noreferrer nofollow">
              {text}
            </a>
          ) : (
            text || t('bubble.copyCode')
          )}
        </li>
      ))}
    </ul>
  ) : null

/** A sent template with its values. */
const TemplateBody = ({ message, t }: BodyProps) => {
  const { template } = message
  return (
    <>
      {template?.media ? <HeaderMedia media={template.media} t={t} /> : null}
      {template?.header ? <b className="bubble-title">{template.header}</b> : null}
      {message.text ? <RichText text={message.text} /> : null}
      {template?.footer ? <small className="bubble-footer">{template.footer}</small> : null}
      {template ? <Buttons buttons={template.buttons} t={t} /> : null}
      {template?.cards ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <ol className="bubble-cards" aria-label={t('bubble.cards')} tabIndex={0}>
          {template.cards.map((card, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the cards of one message never move
            <li key={i}>
              {card.media ? <HeaderMedia media={card.media} t={t} /> : null}
              {card.text ? <RichText text={card.text} /> : null}
              <Buttons buttons={card.buttons} t={t} />
            </li>
          ))}
        </ol>
      ) : null}
    </>
  )
}

export const templateViews = { template: { Body: TemplateBody } } satisfies KindViews
