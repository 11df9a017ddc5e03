import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done } from '#shared/kernel/list.ts'

export const emailMax = 254
/** Something before and after one at sign, with a dot after it. Whether it exists shows when the mail arrives. */
export const emailPattern = '^[^\\s@<>,;"]+@[^\\s@<>,;"]+\\.[^\\s@<>,;"]+$'

const email = Type.String({ minLength: 3, maxLength: emailMax, pattern: emailPattern })
const code = Type.String({ minLength: 1, maxLength: 20 })
const strict = { additionalProperties: false } as const

export const emailChangeApi = {
  sendEmailCodes: endpoint({
    method: 'POST',
    path: '/account/email/codes',
    access: 'person',
    body: Type.Object({ email }, strict),
    reply: Done,
    refuses: [503],
    summary:
      "Mails one code to the caller's current address and one to the new address; the codes are valid in this session only.",
  }),
  changeEmail: endpoint({
    method: 'PUT',
    path: '/account/email',
    access: 'person',
    body: Type.Object(
      {
        email,
        oldCode: code,
        newCode: code,
        secondCode: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 40,
            description: 'Code of the second factor, if the caller has one.',
          }),
        ),
      },
      strict,
    ),
    reply: Done,
    refuses: [409],
    summary: 'Changes the address of the caller, with the codes mailed to both addresses; both are notified.',
  }),
} as const
