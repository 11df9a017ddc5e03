import { useState } from 'react'
import { useFoundNear } from '#client/ui/page/use-found-near.ts'
import type { InboxT } from '../words.ts'
import { firstPageOf, knownFirstPage } from './first-pages.ts'

interface PdfPageProps {
  readonly url: string
  readonly t: InboxT
  onOpen(): void
}

/** The upper part of the first page. Nothing if it cannot be rendered. */
export default function PdfPage({ url, t, onOpen }: PdfPageProps) {
  const [known] = useState(() => knownFirstPage(url))
  const { box, found } = useFoundNear(known === undefined ? url : undefined, firstPageOf, '300px')
  const picture = known === undefined ? found : known
  if (picture === null) return null
  if (picture === undefined) return <span ref={box} className="pdf-page" />
  return (
    <button type="button" className="pdf-page" aria-haspopup="dialog" onClick={onOpen}>
      <img src={picture} alt={t('media.firstPage')} />
    </button>
  )
}
