import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable } from '#shared/kernel/list.ts'
import { passwordMax, usernameMax, usernameMin, usernamePattern } from './password-rules.ts'

/** How a signed-in person proves who they are: by current password, or by a code mailed just now. */
export const proof = {
  currentPassword: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20, description: 'Of the mail; ten minutes old at most.' }),
  ),
}

export const PasswordSignIn = Type.Object({
  username: Nullable(Type.String({ description: 'Lower case; null: this person signs in by mail only.' })),
  hasPassword: Type.Boolean(),
})
export type PasswordSignIn = Static<typeof PasswordSignIn>

const strict = { additionalProperties: false } as const

export const passwordsApi = {
  getPasswordSignIn: endpoint({
    method: 'GET',
    path: '/account/password',
    access: 'person',
    reply: PasswordSignIn,
    summary: 'Whether the caller may sign in with username and password.',
  }),
  sendPasswordCode: endpoint({
    method: 'POST',
    path: '/account/password/code',
    access: 'person',
    reply: Done,
    refuses: [503],
    summary: 'Mails the caller a code that proves who changes username or password; it is good in this session.',
  }),
  setPasswordSignIn: endpoint({
    method: 'PUT',
    path: '/account/password',
    access: 'person',
    body: Type.Object(
      {
        username: Type.String({ minLength: usernameMin, maxLength: usernameMax, pattern: usernamePattern }),
        password: Type.Optional(
          Type.String({ minLength: 1, maxLength: passwordMax, description: 'Absent: the one there is stays.' }),
        ),
        endOthers: Type.Optional(Type.Boolean({ description: "Ends the caller's other sessions." })),
        ...proof,
      },
      strict,
    ),
    reply: Done,
    refuses: [409],
    summary: 'Sets username and password of the caller, who proves it by the password there is or a mailed code.',
  }),
  removePasswordSignIn: endpoint({
    method: 'POST',
    path: '/account/password/removal',
    access: 'person',
    body: Type.Object(proof, strict),
    reply: Done,
    refuses: [409],
    summary: 'Forgets username and password of the caller: what stays is the code by mail.',
  }),
} as const
