import 'yet-another-react-lightbox/styles.css'
import 'yet-another-react-lightbox/plugins/captions.css'
import './media-viewer.css'
import { type SyntheticEvent, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import Lightbox, { type GenericSlide, type RenderSlideProps, type Slide } from 'yet-another-react-lightbox'
import Captions from 'yet-another-react-lightbox/plugins/captions'
import Download from 'yet-another-react-lightbox/plugins/download'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import type { Message } from '#shared/inbox/messages.ts'
import VideoPlayer from './video-player.tsx'

interface FilmSlide extends GenericSlide {
  type: 'film'
  src: string
}
declare module 'yet-another-react-lightbox' {
  interface SlideTypes {
    film: FilmSlide
  }
}

const slideOf = ({ type, text, media }: Message, name: string): Slide[] => {
  if (media?.state !== 'stored') return []
  const about = { description: text, download: { url: media.url, filename: media.name ?? name } }
  return type === 'video'
    ? [{ ...about, type: 'film', src: media.url }]
    : [{ ...about, src: media.url, alt: text || name }]
}

/** Images and videos that the viewer can show, oldest first. */
const isViewable = ({ type, media }: Message): boolean =>
  (type === 'image' || type === 'sticker' || type === 'video') && media?.state === 'stored'

/** Touches inside a video do not swipe to the next item. */
const stay = (event: SyntheticEvent) => event.stopPropagation()

const Film = ({ slide, offset }: RenderSlideProps) => {
  const { t } = useTranslation('inbox')
  if (slide.type !== 'film') return undefined
  return (
    <div style={{ display: 'contents' }} onPointerDown={stay} onWheel={stay}>
      <VideoPlayer src={slide.src} label={t('kind.video')} isShown={offset === 0} />
    </div>
  )
}

interface MediaViewerProps {
  /** All messages in order. Others than images and videos are ignored. */
  readonly messages: readonly Message[]
  /** Id of the first item to show. */
  readonly start: string
  /** The container. A modal dialog would not let elements outside it have the focus. */
  readonly root?: HTMLElement | null
  onClose(): void
}

/** Full-screen images and videos of a chat: arrows navigate; wheel, pinch, + and − zoom. */
export default function MediaViewer({ messages, start, root, onClose }: MediaViewerProps) {
  const { t } = useTranslation('inbox')
  const shown = messages.filter(isViewable)
  const isAlone = shown.length < 2
  const [current, setCurrent] = useState(start)
  const slides = shown.flatMap(message => slideOf(message, t(message.type === 'video' ? 'kind.video' : 'kind.image')))
  // New slides make the viewer go to `index`. Messages change often, with each status; what is shown of them does not.
  const content = JSON.stringify(slides)
  const steadySlides = useMemo(() => JSON.parse(content) as Slide[], [content])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is pressed in it is not pressed in what opened it
    <div style={{ display: 'contents' }} onKeyDown={event => event.stopPropagation()}>
      <Lightbox
        open
        close={onClose}
        className="media-viewer"
        index={Math.max(
          0,
          shown.findIndex(({ id }) => id === current),
        )}
        on={{ view: ({ index }) => setCurrent(shown[index]?.id ?? start) }}
        slides={steadySlides}
        plugins={[Captions, Download, Zoom]}
        {...(root ? { portal: { root } } : {})}
        carousel={{ finite: true, preload: 1 }}
        controller={{ closeOnBackdropClick: true, closeOnPullDown: true }}
        zoom={{ maxZoomPixelRatio: 4, scrollToZoom: true }}
        captions={{ descriptionTextAlign: 'center' }}
        render={{
          // Images use the default slide.
          slide: props => (props.slide.type === 'film' ? <Film {...props} /> : undefined),
          ...(isAlone ? { buttonPrev: () => null, buttonNext: () => null } : {}),
        }}
        labels={{
          Lightbox: t('viewer.title'),
          'Photo gallery': t('viewer.title'),
          Carousel: t('viewer.title'),
          Slide: t('viewer.slide'),
          Caption: t('viewer.caption'),
          '{index} of {total}': t('viewer.place', { index: '{index}', total: '{total}' }),
          Close: t('viewer.close'),
          Previous: t('viewer.previous'),
          Next: t('viewer.next'),
          Download: t('viewer.download'),
          'Zoom in': t('viewer.zoomIn'),
          'Zoom out': t('viewer.zoomOut'),
        }}
      />
    </div>
  )
}
