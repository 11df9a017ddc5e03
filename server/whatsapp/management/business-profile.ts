import { buffer } from 'node:stream/consumers'
import { maxWebsites, profileLimits } from '#shared/numbers/standing.ts'
import { createGraph, type GraphOptions } from '../graph/graph.ts'
import { capped, discard, mayFollow } from '../graph/media-download.ts'
import { SuccessReply } from '../graph/wire.ts'
import { WhatsAppError } from '../provider.ts'
import { asList, asObject, asText, cleanLine, cleanText, webAddress } from '../scalars.ts'
import { readWord } from '../templates/template-node.ts'
import { ProfileReply } from './standing-wire.ts'

/** The profile that customers see when they tap a business's name. Empty: not set. */
export interface BusinessProfile {
  readonly about: string
  readonly address: string
  readonly description: string
  readonly email: string
  readonly websites: readonly string[]
  /** Meta's word for the industry; empty: none. */
  readonly vertical: string
}

interface ProfileReading {
  readonly profile: BusinessProfile
  /** A temporary address of the picture; null: none. */
  readonly pictureAddress: string | null
}

export interface PictureBytes {
  readonly mime: string
  readonly bytes: Buffer
}

/** The profile of a number. Every call rejects with `WhatsAppError` only. */
export interface ProfileKeeper {
  read(signal?: AbortSignal): Promise<ProfileReading>
  /** Absent fields stay. `pictureHandle`: from an upload of the account. */
  change(change: Partial<BusinessProfile> & { pictureHandle?: string }): Promise<void>
  /** The bytes at the reading's picture address; undefined: not a picture, or too large. */
  fetchPicture(address: string, signal?: AbortSignal): Promise<PictureBytes | undefined>
}

const fields = 'about,address,description,email,profile_picture_url,websites,vertical'
/** The largest picture, because it is sent inside a page. */
const pictureMaxBytes = 400_000
const pictureMimes = ['image/jpeg', 'image/png', 'image/webp']

/** The website if the contract accepts it, otherwise none, so that what Meta returns can be sent back. */
const websiteOf = (value: unknown): string[] => {
  const address = webAddress(value)
  return address !== undefined && address.length <= profileLimits.website ? [address] : []
}

/** @see Meta, "Business phone numbers" */
export function createProfileKeeper(options: GraphOptions & { phoneNumberId: string }): ProfileKeeper {
  const graph = createGraph(options)
  const path = `/${encodeURIComponent(options.phoneNumberId)}/whatsapp_business_profile`

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
      const vertical = readWord(said?.vertical)
      return {
        profile: {
          about: cleanLine(said?.about, profileLimits.about) ?? '',
          address: cleanLine(said?.address, profileLimits.address) ?? '',
          description: cleanText(said?.description, profileLimits.description),
          email: cleanLine(said?.email, profileLimits.email) ?? '',
          websites: asList(said?.websites).slice(0, maxWebsites).flatMap(websiteOf),
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
      // The address is signed, so only the simulator needs the token.
      const isHome = url.origin === graph.baseUrl.origin
      const response = await graph.open(url, { token: isHome, call: 'media', signal })
      const mime = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
      if (!response.ok || !pictureMimes.includes(mime)) {
        await discard(response)
        return undefined
      }
      try {
        return { mime, bytes: await buffer(capped(response, pictureMaxBytes)) }
      } catch (error) {
        if (error instanceof WhatsAppError && error.code === 'TOO_LARGE') return undefined
        throw error
      }
    },
  }
}
