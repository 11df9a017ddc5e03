import { flowLimits } from '#shared/flows/limits.ts'
import { type Carried, type Carrying, carryText, nothing, one } from './typebot-carried.ts'
import { asText, type TypebotBlock } from './typebot-file.ts'

const mediaKinds = { image: 'image', video: 'video', audio: 'audio' } as const
/** Image formats that WhatsApp does not show. */
const foreignPicture = /\.(?:gif|svg|webp|bmp|avif|heic)(?:[?#]|$)/i
/** Videos on video sites, by site. */
const watched: Readonly<Record<string, (id: string) => string>> = {
  youtube: id => `https://www.youtube.com/watch?v=${id}`,
  vimeo: id => `https://vimeo.com/${id}`,
  tiktok: id => `https://www.tiktok.com/@/video/${id}`,
  gumlet: id => `https://play.gumlet.io/embed/${id}`,
}

/** A bubble that shows or plays something. */
export const isMedia = ({ type }: TypebotBlock): boolean => Object.hasOwn(mediaKinds, type) || type === 'embed'

export const link = (address: string, carrying: Carrying): Carried => {
  const text = carryText(address, carrying)
  if (!text) {
    carrying.lose('mediaMissing')
    return nothing
  }
  carrying.lose('asLink', text.slice(0, 80))
  return one({ type: 'message', text })
}

/**
 * A file at a public address is shown; content for browsers becomes a link, as in Typebot's own WhatsApp conversations.
 */
export const bubble = ({ type, content }: TypebotBlock, carrying: Carrying): Carried => {
  const url = asText(content.url).trim()
  const service = Object.hasOwn(watched, asText(content.type)) ? watched[asText(content.type)] : undefined
  const id = asText(content.id)
  if (service && id) return link(service(id), carrying)
  const kind = Object.hasOwn(mediaKinds, type) ? mediaKinds[type as keyof typeof mediaKinds] : undefined
  const isFile = /^https:\/\/[^\s{}]+$/.test(url) && url.length <= flowLimits.url && !service
  if (kind && isFile && !(kind === 'image' && foreignPicture.test(url)))
    return one({ type: 'message', text: '', media: { kind, url } })
  return link(url, carrying)
}
