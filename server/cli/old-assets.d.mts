/** @see old-assets.mjs */
export function putAsideAssets(folders: { assets: string; aside: string }): void
export function bringBackAssets(options: {
  assets: string
  aside: string
  record: string
  now?: number
  maxAgeMs?: number
  maxBytes?: number
}): void
