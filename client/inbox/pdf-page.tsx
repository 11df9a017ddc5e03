import { useEffect, useRef, useState } from 'react'
import { firstPageOf, knownFirstPage } from './first-pages.ts'
import type { InboxT } from './words.ts'

interface PdfPageProps {
  readonly url: string
  readonly t: InboxT
  onOpen(): void
}

/** Of what is far from being seen, nothing is loaded. */
const nearPx = '300px'

/** The upper part of the first page; a file that cannot be drawn has none. */
export default function PdfPage({ url, t, onOpen }: PdfPageProps) {
  const room = useRef<HTMLSpanElement>(null)
  const [picture, setPicture] = useState(() => knownFirstPage(url))
  useEffect(() => {
    const element = room.current
    if (picture !== undefined || !element) return
    let isGone = false
    const near = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        near.disconnect()
        void firstPageOf(url).then(drawn => isGone || setPicture(drawn))
      },
      { rootMargin: nearPx },
    )
    near.observe(element)
    return () => {
      isGone = true
      near.disconnect()
    }
  }, [url, picture])
  if (picture === null) return null
  if (picture === undefined) return <span ref={room} className="pdf-page" />
  return (
    <button type="button" className="pdf-page" aria-haspopup="dialog" onClick={onOpen}>
      <img src={picture} alt={t('media.firstPage')} />
    </button>
  )
}
