import { type ImgHTMLAttributes, useCallback } from 'react'

interface StoredPictureProps extends ImgHTMLAttributes<HTMLImageElement> {
  /** The browser cannot draw the file: it is no picture, or of a kind it does not know. */
  onBroken(): void
}

/** A picture out of a stored file, whatever is in it. */
export const StoredPicture = ({ onBroken, alt, ...facts }: StoredPictureProps) => {
  // Drawn by the server it may have failed before anybody listened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at once, when it is there
  const look = useCallback((img: HTMLImageElement | null) => {
    if (img?.complete && img.naturalWidth === 0 && img.currentSrc) onBroken()
  }, [])
  return <img {...facts} alt={alt} loading="lazy" decoding="async" ref={look} onError={onBroken} />
}
