import { Type } from 'typebox'

export const pictureMaxBytes = 1024 * 1024
/** Pixels: a larger one is a photo somebody forgot to make smaller, and every row that shows it would pay for it. */
export const pictureMaxSide = 4096
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** What a call takes that keeps a picture. */
export const PictureBody = Type.Object(
  { dataBase64: Type.String({ minLength: 1, description: 'A PNG, JPEG or WebP of at most 1 MB.' }) },
  { additionalProperties: false },
)
/** Base64 is a third longer, and a picture somewhat too big is answered as such, not as a body too large. */
export const pictureBodyLimit = 3 * pictureMaxBytes
