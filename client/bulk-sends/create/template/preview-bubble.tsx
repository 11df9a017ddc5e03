import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { SentTemplate } from '#shared/outbound/api.ts'
import { headerFormats } from '#shared/templates/components.ts'
import { isFileAddress } from '#shared/templates/files.ts'
import { CardPlace } from '../../card-place.tsx'

type Preview = Pick<BulkPlan['previews'][number], 'header' | 'text' | 'footer' | 'buttons' | 'media' | 'cards'>
type Media = NonNullable<SentTemplate['media']>

const icons = { IMAGE: 'image', VIDEO: 'video', LOCATION: 'pin' } as const
const iconOf = (format: string) => (Object.hasOwn(icons, format) ? icons[format as keyof typeof icons] : 'file')

/** A media header: a stored image, or the type and address of the file. */
function HeaderMedia({ media: { format, url } }: { media: Media }) {
  const { t } = useTranslation('templates')
  const known = headerFormats.find(one => one === format)
  const name = known ? t(`header.${known}`) : format
  const isKept = url !== undefined && isFileAddress(url)
  if (isKept && format === 'IMAGE') return <img className="bulk-bubble-picture" src={url} alt={name} />
  const what = (
    <>
      <Icon name={iconOf(format)} />
      {name}
    </>
  )
  return (
    <span className="bulk-bubble-media small">
      {isKept ? (
        <a href={url} target="_blank" rel="noopener">
          {what}
        </a>
      ) : (
        <span>{what}</span>
      )}
      {url && !isKept ? (
        <a className="cut" href={url} target="_blank" rel="noopener noreferrer nofollow">
          {url}
        </a>
      ) : null}
    </span>
  )
}

const Buttons = ({ buttons }: { buttons: Preview['buttons'] }) => {
  const { t } = useTranslation('templates')
  return buttons.map(({ text }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
    <span key={i} className="bulk-bubble-button" dir="auto">
      {text || t('button.COPY_CODE')}
    </span>
  ))
}

interface PreviewBubbleProps {
  readonly preview: Preview
  /** Shown in the place of the text. */
  readonly body?: ReactNode
}

/** The message of one recipient, with a carousel's cards. */
export function PreviewBubble({ preview, body }: PreviewBubbleProps) {
  const { t } = useTranslation('templates')
  const { media, header, text, footer, buttons, cards } = preview
  return (
    <>
      <div className="bulk-bubble stack-s">
        {media ? <HeaderMedia media={media} /> : null}
        {header ? <strong dir="auto">{header}</strong> : null}
        <p dir="auto">{body ?? text}</p>
        {footer ? <small dir="auto">{footer}</small> : null}
        <Buttons buttons={buttons} />
      </div>
      {cards ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard
        <ol className="bulk-cards" aria-label={t('preview.cards')} tabIndex={0}>
          {cards.map((card, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
            <li key={i} className="bulk-bubble stack-s">
              <CardPlace at={i} all={cards.length} />
              {card.media ? <HeaderMedia media={card.media} /> : null}
              <p dir="auto">{card.text}</p>
              <Buttons buttons={card.buttons} />
            </li>
          ))}
        </ol>
      ) : null}
    </>
  )
}
