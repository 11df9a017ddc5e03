import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable } from '#shared/kernel/list.ts'
import { PictureBody, pictureBodyLimit } from '#shared/media/pictures.ts'

export const signatureMaxChars = 120

const Picture = Type.Object({
  image: Nullable(Type.String({ description: 'Address of the picture; null: there is none.' })),
})

/** A person's picture and signature. The name is changed by better-auth's `update-user`. */
export const profileApi = {
  setPicture: endpoint({
    method: 'PUT',
    path: '/account/picture',
    access: 'person',
    body: PictureBody,
    bodyLimit: pictureBodyLimit,
    reply: Picture,
    summary: "Replaces the caller's picture; the previous one is deleted.",
  }),
  removePicture: endpoint({
    method: 'DELETE',
    path: '/account/picture',
    access: 'person',
    reply: Picture,
    summary: "Removes the caller's picture.",
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
    summary:
      "Sets the signature that the composer adds below the caller's messages. Messages sent through the API do not get it.",
  }),
} as const

/** The text with the signature, as sent to a customer. */
export const signed = (text: string, signature: string): string => (signature ? `${text}\n\n${signature}` : text)
