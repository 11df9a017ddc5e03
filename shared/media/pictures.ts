import { Type } from 'typebox'

export const pictureMaxBytes = 1024 * 1024
/** Pixels. A larger image is an unscaled photo, which every row that shows it would have to load. */
export const pictureMaxSide = 4096
export const pictureTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** The body of calls that store a picture. */
export const PictureBody = Type.Object(
  { dataBase64: Type.String({ minLength: 1, description: 'A PNG, JPEG or WebP of at most 1 MB.' }) },
  { additionalProperties: false },
)
/** Base64 is a third longer. Slightly too large pictures get an error about the picture, not about the body. */
export const pictureBodyLimit = 3 * pictureMaxBytes
