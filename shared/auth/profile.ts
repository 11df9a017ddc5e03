import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { PictureBody, pictureBodyLimit } from '#shared/media/pictures.ts'

export const signatureMaxChars = 120

const Picture = Type.Object({ image: Nullable(Type.String({ description: 'Where it can be seen; null: nowhere.' })) })

/** How a person is shown to colleagues and customers. The name is changed by better-auth's `update-user`. */
export const profileApi = {
  setPicture: endpoint({
    method: 'PUT',
    path: '/account/picture',
    access: 'person',
    body: PictureBody,
    bodyLimit: pictureBodyLimit,
    reply: Picture,
    summary: "Keeps the caller's picture; the one before is deleted.",
  }),
  removePicture: endpoint({
    method: 'DELETE',
    path: '/account/picture',
    access: 'person',
    reply: Picture,
    summary: "Takes the caller's picture away.",
  }),
  setSignature: endpoint({
    method: 'PUT',
    path: '/account/signature',
    access: 'person',
    body: Type.Object(
      { signature: Type.String({ maxLength: signatureMaxChars, description: 'Empty: none.' }) },
      { additionalProperties: false },
    ),
    reply: Type.Object({ signature: Type.String() }),
    summary: 'What the composer puts below what the caller writes to customers. Calls that send add nothing.',
  }),
} as const

/** The text with the signature, as sent to a customer. */
export const signed = (text: string, signature: string): string => (signature ? `${text}\n\n${signature}` : text)
