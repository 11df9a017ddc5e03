import { useState } from 'react'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { isPlainPress } from '#client/ui/page/link-presses.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BodyProps } from '../kinds/kind.ts'
import { iconOf } from '../words.ts'
import { DocumentPart } from './document-part.tsx'
import { StoredPicture } from './stored-picture.tsx'

/** Pixels. Must match `max-height` of `.picture img`. */
const maxPictureHeight = 320

const BrowsersPlayer = ({ src, label }: { src: string; label: string; bytes: number | null }) => (
  // biome-ignore lint/a11y/useMediaCaption: a customer's recording has none
  <audio src={src} controls preload="metadata" aria-label={label} />
)
const VoicePlayer = quietPart(() => import('../voice/player.tsx'), BrowsersPlayer)

const BrowsersFilm = ({ src, label }: { src: string; label: string }) => (
  // biome-ignore lint/a11y/useMediaCaption: a customer's recording has none
  <video src={src} controls preload="metadata" aria-label={label} />
)
const VideoPlayer = quietPart(() => import('./video-player.tsx'), BrowsersFilm)

/** A retry would fail again. */
const hopeless: ReadonlySet<string> = new Set(['tooLarge', 'expired'])

const MissingMedia = ({ message, t, onRetryMedia }: BodyProps) => {
  const failed = message.media?.state === 'failed'
  const isHopeless = hopeless.has(message.media?.problem ?? '')
  return (
    <span
      className={failed ? 'media-missing line wrap' : `media-missing line wrap media-coming-${message.type}`}
      role="status"
    >
      <Icon name={iconOf(message.type) ?? 'file'} />
      <span className="media-what">
        {message.media?.name ? (
          <b className="cut" dir="auto">
            {message.media.name}
          </b>
        ) : null}
        {failed ? t(message.media?.problem ? `media.${message.media.problem}` : 'media.failed') : t('media.pending')}
      </span>
      {failed && !isHopeless && onRetryMedia ? (
        <button type="button" className="link" onClick={() => onRetryMedia(message)}>
          {t('action.retry')}
        </button>
      ) : null}
    </span>
  )
}

/** The largest displayed size, to reserve space before the image is loaded. */
const shownSides = ({ width, height }: NonNullable<BodyProps['message']['media']>) => {
  if (!width || !height) return {}
  const scale = Math.min(1, maxPictureHeight / height)
  return { width: Math.round(width * scale), height: Math.round(height * scale) }
}

/** Images the browser cannot show are offered as a download. */
const BrokenPicture = ({ message, t }: BodyProps) => (
  <span className="media-missing line wrap">
    <Icon name="warn" />
    <span className="media-what">{t('media.broken')}</span>
    <a className="link" href={message.media?.url} download={message.media?.name ?? true}>
      {t('media.download')}
    </a>
  </span>
)

/** An image at its largest displayed size. Clicking opens the viewer. */
const PicturePart = (props: BodyProps & { media: NonNullable<BodyProps['message']['media']> }) => {
  const { message, media, t, onView } = props
  const [isBroken, setIsBroken] = useState(false)
  if (isBroken) return <BrokenPicture {...props} />
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
      <StoredPicture
        src={media.url}
        {...shownSides(media)}
        alt={message.text || t(`kind.${message.type}`)}
        onBroken={() => setIsBroken(true)}
      />
    </a>
  )
}

/** A message's file, by type. */
export const MediaPart = (props: BodyProps) => {
  const { message, t } = props
  const media = message.media
  if (!media) return null
  if (media.state !== 'stored') return <MissingMedia {...props} />
  if (message.type === 'image' || message.type === 'sticker') return <PicturePart {...props} media={media} />
  if (message.type === 'video')
    return (
      <span className="picture picture-video">
        <VideoPlayer src={media.url} label={t('kind.video')} />
      </span>
    )
  if (message.type === 'audio' || message.type === 'voice')
    return (
      <span className="voice">
        <Icon name="mic" />
        <VoicePlayer src={media.url} bytes={media.size} label={t(`kind.${message.type}`)} />
      </span>
    )
  return <DocumentPart message={message} media={media} t={t} />
}
