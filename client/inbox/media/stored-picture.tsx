import { type ImgHTMLAttributes, useCallback } from 'react'

interface StoredPictureProps extends ImgHTMLAttributes<HTMLImageElement> {
  /** The browser cannot show the file: not an image, or an unknown format. */
  onBroken(): void
}

/** An image from a stored file of any content. */
export const StoredPicture = ({ onBroken, alt, ...facts }: StoredPictureProps) => {
  // Drawn by the server it may have failed before anybody listened.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at once, when it is there
  const look = useCallback((img: HTMLImageElement | null) => {
    if (img?.complete && img.naturalWidth === 0 && img.currentSrc) onBroken()
  }, [])
  return <img {...facts} alt={alt} loading="lazy" decoding="async" ref={look} onError={onBroken} />
}
