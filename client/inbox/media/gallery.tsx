import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { numberedRows } from '#client/app/queries/paged-list.ts'
import { pagesFor } from '#client/app/queries/queries.ts'
import { usePages } from '#client/app/queries/use-paged-list.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { isPlainPress } from '#client/ui/page/link-presses.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { linksIn } from '#client/ui/text/links-in.ts'
import { useMoment } from '#client/ui/text/moment.tsx'
import { type GalleryKind, galleryKinds } from '#shared/contacts/chat-contact.ts'
import type { Message } from '#shared/inbox/messages.ts'
import type { Language } from '#shared/kernel/language.ts'
import { shortDate } from '#shared/kernel/time.ts'
import VoicePlayer from '../voice/player.tsx'
import { StoredPicture } from './stored-picture.tsx'

const MediaViewer = lazyDialog(() => import('./media-viewer.tsx'))
const PdfDialog = lazyDialog(() => import('./pdf-dialog.tsx'))

const galleryQuery = (org: string, phone: string, kind: GalleryKind) =>
  pagesFor(
    org,
    'contacts.listGallery',
    { params: { phone }, query: { kind } },
    {
      first: 1,
      next: last => (last.hasMore ? last.page + 1 : undefined),
      query: page => ({ page }),
      ...numberedRows,
    },
  )

function Picture({ message, onView }: { message: Message; onView(message: Message): void }) {
  const { t } = useTranslation('inbox')
  const name = message.text || t(message.type === 'video' ? 'kind.video' : 'kind.image')
  const [isBroken, setIsBroken] = useState(false)
  if (message.media?.state !== 'stored')
    return (
      <span className="gallery-picture center" role="img" aria-label={name}>
        <Icon name={message.type === 'video' ? 'video' : 'image'} />
      </span>
    )
  return (
    <a
      className="gallery-picture center"
      href={message.media.url}
      target="_blank"
      rel="noopener"
      aria-label={name}
      onClick={event => {
        if (!isPlainPress(event)) return
        event.preventDefault()
        onView(message)
      }}
    >
      {message.type === 'video' || isBroken ? (
        <Icon name={isBroken ? 'warn' : 'video'} />
      ) : (
        <StoredPicture src={message.media.url} alt="" onBroken={() => setIsBroken(true)} />
      )}
    </a>
  )
}

const useDay = (at: string): string => {
  const { i18n } = useTranslation()
  const { timeZone } = useMoment()
  return shortDate(at, i18n.language as Language, timeZone)
}

function Document({ message }: { message: Message }) {
  const { t } = useTranslation('inbox')
  const day = useDay(message.at)
  const { media } = message
  const name = media?.name || message.text || t('kind.document')
  const about = (
    <>
      <Icon name="file" />
      <span className="cut" dir="auto">
        {name}
      </span>
      <small>{day}</small>
    </>
  )
  const [isOpen, setIsOpen] = useState(false)
  return media?.state === 'stored' ? (
    <>
      <a
        className="gallery-document"
        href={media.url}
        target="_blank"
        rel="noopener"
        download={media.name ?? true}
        onClick={event => {
          if (media.mime !== 'application/pdf' || !isPlainPress(event)) return
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        {about}
      </a>
      {isOpen ? <PdfDialog name={name} url={media.url} onClose={() => setIsOpen(false)} /> : null}
    </>
  ) : (
    <span className="gallery-document">{about}</span>
  )
}

function Sound({ message }: { message: Message }) {
  const { t } = useTranslation('inbox')
  const day = useDay(message.at)
  const { media } = message
  const name = t(message.type === 'voice' ? 'kind.voice' : 'kind.audio')
  return (
    <span className="gallery-sound line">
      {media?.state === 'stored' ? (
        <VoicePlayer src={media.url} bytes={media.size} label={`${name}, ${day}`} />
      ) : (
        <>
          <Icon name="mic" />
          <span className="cut" dir="auto">
            {name}
          </span>
        </>
      )}
      <small>{day}</small>
    </span>
  )
}

/** Each distinct link of a message. */
function Links({ message }: { message: Message }) {
  const day = useDay(message.at)
  const addresses = [
    ...new Set(linksIn(message.text).flatMap(({ address }) => (/^https?:/i.test(address) ? [address] : []))),
  ]
  return addresses.map(address => (
    <a key={address} className="gallery-document" href={address} target="_blank" rel="noopener noreferrer nofollow">
      <Icon name="globe" />
      <span className="cut">{address.replace(/^https?:\/\//, '')}</span>
      <small>{day}</small>
    </a>
  ))
}

const rowOf = {
  documents: Document,
  audio: Sound,
  links: Links,
} as const

/** The files and links of a chat, newest first: images and videos, documents, audio, or links. */
export function Gallery({ org, phone }: { org: string; phone: string }) {
  const { t } = useTranslation('inbox')
  const [chosen, setKind] = useState<GalleryKind>()
  // The first list names the kinds, because it stays while another list is loading.
  const known = usePages(galleryQuery(org, phone, 'pictures')).data?.pages[0]?.kinds
  const kind = chosen ?? galleryKinds.find(one => known?.includes(one)) ?? 'pictures'
  const [viewed, setViewed] = useState<Message>()
  const section = useRef<HTMLElement>(null)
  const list = usePages(galleryQuery(org, phone, kind))
  const messages = list.data?.pages.flatMap(page => page.items)
  const Row = kind === 'pictures' ? undefined : rowOf[kind]
  const kinds = galleryKinds.filter(one => one === chosen || known?.includes(one))
  return (
    <section ref={section} className="contact-part" aria-label={t('gallery.title')}>
      <h3>{t('gallery.title')}</h3>
      <div className="gallery-kinds wrap">
        {kinds.map(one => (
          <button key={one} type="button" className="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
            {t(`gallery.${one}`)}
          </button>
        ))}
      </div>
      {list.isError && !messages ? <Fault>{t('gallery.failed')}</Fault> : null}
      {known && !kinds.length ? <p className="fine">{t('gallery.empty')}</p> : null}
      {chosen && messages?.length === 0 ? <p role="status">{t(`gallery.none.${kind}`)}</p> : null}
      {messages?.length ? (
        <ul className={kind === 'pictures' ? 'gallery-pictures' : undefined}>
          {messages.map(message => (
            <li key={message.id}>
              {Row ? <Row message={message} /> : <Picture message={message} onView={setViewed} />}
            </li>
          ))}
        </ul>
      ) : null}
      <MoreButton list={list} more={t('gallery.more')} failed={t('gallery.failed')} />
      {viewed && messages ? (
        <MediaViewer
          messages={messages}
          start={viewed.id}
          root={section.current?.closest<HTMLElement>('.MuiDialog-container') ?? null}
          onClose={() => setViewed(undefined)}
        />
      ) : null}
    </section>
  )
}
