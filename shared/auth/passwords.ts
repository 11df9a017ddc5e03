import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable } from '#shared/kernel/list.ts'
import { passwordMax, usernameMax, usernameMin, usernamePattern } from './password-rules.ts'

/** A signed-in person proves who they are: by current password, or by a code mailed just now. */
export const proof = {
  currentPassword: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
  code: Type.Optional(
    Type.String({ minLength: 1, maxLength: 20, description: 'The mailed code, at most ten minutes old.' }),
  ),
}

export const PasswordSignIn = Type.Object({
  username: Nullable(Type.String({ description: 'Lower case; null: this person signs in only with mailed codes.' })),
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
    summary: 'Mails the caller a code for changing username or password; it is valid in this session only.',
  }),
  setPasswordSignIn: endpoint({
    method: 'PUT',
    path: '/account/password',
    access: 'person',
    body: Type.Object(
      {
        username: Type.String({ minLength: usernameMin, maxLength: usernameMax, pattern: usernamePattern }),
        password: Type.Optional(
          Type.String({ minLength: 1, maxLength: passwordMax, description: 'Absent: the password stays unchanged.' }),
        ),
        endOthers: Type.Optional(Type.Boolean({ description: "Ends the caller's other sessions." })),
        ...proof,
      },
      strict,
    ),
    reply: Done,
    refuses: [409],
    summary: 'Sets username and password of the caller; needs the current password or a mailed code.',
  }),
  removePasswordSignIn: endpoint({
    method: 'POST',
    path: '/account/password/removal',
    access: 'person',
    body: Type.Object(proof, strict),
    reply: Done,
    refuses: [409],
    summary: 'Removes username and password of the caller, who then signs in with mailed codes.',
  }),
} as const
