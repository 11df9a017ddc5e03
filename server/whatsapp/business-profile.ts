import { createGraph, type GraphOptions } from './graph.ts'
import { mayFollow } from './media-download.ts'
import { WhatsAppError } from './provider.ts'
import { asList, asObject, asText, cleanLine, cleanText } from './scalars.ts'
import { ProfileReply } from './standing-wire.ts'
import { wordOf } from './template-node.ts'
import { SuccessReply } from './wire.ts'

/** What customers see of a business when they tap its name. Empty: not said. */
export interface BusinessProfile {
  readonly about: string
  readonly address: string
  readonly description: string
  readonly email: string
  readonly websites: readonly string[]
  /** Meta's word for its line of business; empty: none. */
  readonly vertical: string
}

export interface ProfileReading {
  readonly profile: BusinessProfile
  /** Where Meta shows its picture for a while; null: it has none. */
  readonly pictureAddress: string | null
}

export interface PictureBytes {
  readonly mime: string
  readonly bytes: Buffer
}

/** The profile of a number. Every call rejects with `WhatsAppError` and nothing else. */
export interface ProfileKeeper {
  read(signal?: AbortSignal): Promise<ProfileReading>
  /** What is left out stays. `pictureHandle`: of an upload by the account. */
  change(change: Partial<BusinessProfile> & { pictureHandle?: string }): Promise<void>
  /** The bytes at an address of the reading; undefined: no picture, or a large one. */
  fetchPicture(address: string, signal?: AbortSignal): Promise<PictureBytes | undefined>
}

const fields = 'about,address,description,email,profile_picture_url,websites,vertical'
/** A page carries it. */
const pictureMaxBytes = 400_000
const pictureMimes = ['image/jpeg', 'image/png', 'image/webp']

const webAddress = (value: unknown): string | undefined => {
  const text = cleanLine(value, 256)
  return text !== undefined && URL.canParse(text) && /^https?:/i.test(text) ? text : undefined
}

/** @see Meta, "Business phone numbers" */
export function createProfileKeeper(options: GraphOptions & { phoneNumberId: string }): ProfileKeeper {
  const graph = createGraph(options)
  const path = `/${encodeURIComponent(options.phoneNumberId)}/whatsapp_business_profile`

  const readBytes = async (response: Response): Promise<Buffer | undefined> => {
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body ?? []) {
      size += chunk.length
      if (size > pictureMaxBytes) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  }

  return {
    async read(signal) {
      const { data } = await graph.request({
        call: 'number',
        method: 'GET',
        path,
        query: { fields },
        reply: ProfileReply,
        signal,
      })
      const said = asObject(data[0])
      const vertical = wordOf(said?.vertical)
      return {
        profile: {
          about: cleanLine(said?.about, 139) ?? '',
          address: cleanLine(said?.address, 256) ?? '',
          description: cleanText(said?.description, 512),
          email: cleanLine(said?.email, 128) ?? '',
          websites: asList(said?.websites)
            .slice(0, 2)
            .flatMap(one => webAddress(one) ?? []),
          vertical: vertical === undefined || vertical === 'UNDEFINED' ? '' : vertical,
        },
        pictureAddress: asText(said?.profile_picture_url) ?? null,
      }
    },

    async change({ pictureHandle, ...profile }) {
      const body = {
        messaging_product: 'whatsapp',
        ...profile,
        ...(pictureHandle === undefined ? {} : { profile_picture_handle: pictureHandle }),
      }
      await graph.request({ call: 'number', method: 'POST', path, body, reply: SuccessReply })
    },

    async fetchPicture(address, signal) {
      const url = URL.canParse(address) ? new URL(address) : undefined
      if (!url || !mayFollow(url, graph)) return undefined
      // Its address is signed; only the simulator wants to know who asks.
      const isHome = url.origin === graph.baseUrl.origin
      const response = await graph.open(url, { token: isHome, call: 'media', signal })
      const mime = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      if (!response.ok || !pictureMimes.includes(mime)) {
        await response.body?.cancel().catch(() => undefined)
        return undefined
      }
      try {
        const bytes = await readBytes(response)
        return bytes && { mime, bytes }
      } catch (fault) {
        throw new WhatsAppError({ code: 'NETWORK', retry: 'quick', message: 'a picture was cut', cause: fault })
      }
    },
  }
}
