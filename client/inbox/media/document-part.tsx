import { useState } from 'react'
import { quietPart } from '#client/ui/feedback/quiet-part.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Media, Message } from '#shared/inbox/messages.ts'
import type { InboxT } from '../words.ts'
import { PdfRoom } from './pdf-room.tsx'

const PdfDialog = lazyDialog(() => import('./pdf-dialog.tsx'))
const PdfPage = quietPart(() => import('./pdf-page.tsx'), PdfRoom)
const pdf = 'application/pdf'

const kilobyte = 1024
const sizeOf = (bytes: number | null): string => {
  if (bytes === null) return ''
  if (bytes < kilobyte) return `${bytes} B`
  if (bytes < kilobyte * kilobyte) return `${Math.round(bytes / kilobyte)} KB`
  return `${(bytes / kilobyte / kilobyte).toFixed(1)} MB`
}

const extensionOf = (media: Media) =>
  media.name?.split('.').pop()?.toUpperCase().slice(0, 5) ?? media.mime.split('/').pop()?.toUpperCase().slice(0, 5)

interface DocumentProps {
  readonly message: Message
  readonly media: Media
  readonly t: InboxT
}

/** A document's type, name and size. For a PDF also its first page, and a viewer. */
export const DocumentPart = ({ message, media, t }: DocumentProps) => {
  const [isOpen, setIsOpen] = useState(false)
  const name = media.name ?? t('kind.document')
  return (
    <>
      {media.mime === pdf && media.url.startsWith('/') ? (
        <PdfPage url={media.url} t={t} onOpen={() => setIsOpen(true)} />
      ) : null}
      <a className="document" href={media.url} target="_blank" rel="noopener" download={media.name ?? true}>
        <Icon name="file" />
        <span className="cut">
          <bdi>{name}</bdi>
          <small>{[extensionOf(media), sizeOf(media.size)].filter(Boolean).join(' · ')}</small>
        </span>
        <Icon name="download" />
      </a>
      {media.mime === pdf ? (
        <button type="button" className="link document-look" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {t('media.preview')}
        </button>
      ) : null}
      {isOpen ? <PdfDialog name={name} url={media.url} about={message.text} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}
