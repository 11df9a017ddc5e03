import { asNumber, cleanLine, webAddress } from '../scalars.ts'
import { fault } from './asked.ts'
import type { Kinds, Reader } from './kind.ts'

const read: Reader = part => {
  const latitude = asNumber(part.latitude)
  const longitude = asNumber(part.longitude)
  if (latitude === undefined || longitude === undefined || Math.abs(latitude) > 90 || Math.abs(longitude) > 180)
    return undefined
  const name = cleanLine(part.name)
  const address = cleanLine(part.address, 500)
  const url = webAddress(part.url)
  return {
    type: 'location',
    text: name ?? address ?? '',
    content: {
      location: {
        latitude,
        longitude,
        ...(name ? { name } : {}),
        ...(address ? { address } : {}),
        ...(url ? { url } : {}),
      },
    },
  }
}

export const locationKinds = {
  location: {
    reads: { location: read },
    sends: {
      location: {
        asked: {
          type: 'location',
          read: ({ location }) => {
            if (!location) throw fault('location', 'required')
            return { type: 'location', location }
          },
          example: { location: { latitude: -34.5875, longitude: -58.4262, name: 'Nuestro local' } },
        },
        shown: ({ location }) => ({
          type: 'location',
          text: location.name ?? location.address ?? '',
          content: { location },
        }),
        part: ({ location }) => ({ type: 'location', location }),
      },
    },
  },
} satisfies Kinds
