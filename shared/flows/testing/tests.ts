import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Done, Nullable, Timestamp } from '#shared/kernel/list.ts'
import { plainText } from '../triggers/triggers.ts'

const closed = { additionalProperties: false } as const
const FlowParams = Type.Object(
  { id: Type.String({ minLength: 1, maxLength: 64, description: 'Id of the flow.' }) },
  closed,
)

/** A test on the author's phone ends after this time, wherever it is. */
export const testLastsMs = 60 * 60 * 1000
export const testCodeDigits = 6
/** The most phones of one test; a further one that sends the code gets the usual answer. */
export const maxTestedAtOnce = 5

const word = 'probar'
const written = new RegExp(`^${word}[\\s:-]*([0-9]{${testCodeDigits}})$`)

/** The text to send from the phone, for display. */
export const testText = (code: string): string => `${word.toUpperCase()} ${code}`
/** The code in a message; undefined: the message is something else. */
export const testCodeOf = (text: string): string | undefined =>
  text.length > 40 ? undefined : written.exec(plainText(text))?.[1]

const FlowTest = Type.Object({
  id: Type.String(),
  text: Type.String({
    description: 'The text that starts the draft for the person who sends it to one of the numbers.',
  }),
  numbers: Type.Array(
    Type.Object({
      phone: Type.String({ description: 'Digits.' }),
      displayPhone: Type.String({ description: 'As people write it.' }),
      isSimulated: Type.Boolean({ description: 'True: it is the number of the built-in simulator.' }),
    }),
    { description: "The organization's own." },
  ),
  endsAt: Timestamp,
  sessions: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Of the session, step by step in `flow-runs`.' }),
      name: Type.String({ description: 'Of the contact.' }),
      phone: Type.String({ description: 'The address of the chat.' }),
      isOver: Type.Boolean(),
    }),
    { description: 'Conversations in which it was started so far, newest first.' },
  ),
})
export type FlowTest = Static<typeof FlowTest>

/** Tests of a draft on its author's own phone. */
export const flowTestsApi = {
  begin: endpoint({
    method: 'POST',
    path: '/whatsapp/flows/:id/test',
    access: 'flow:edit',
    peopleOnly: true,
    params: FlowParams,
    reply: FlowTest,
    status: 201,
    refuses: [404, 409, 422],
    summary: `Starts a test of the present draft on the caller's own WhatsApp, with a secret word, for ${testLastsMs / 60_000} minutes. It sends, tags and calls services for real, and is in no statistics.`,
  }),
  get: endpoint({
    method: 'GET',
    path: '/whatsapp/flows/:id/test',
    access: 'flow:edit',
    peopleOnly: true,
    params: FlowParams,
    reply: Type.Object({ test: Nullable(FlowTest) }),
    refuses: [404],
    summary: "The caller's running test of a flow; null if there is none.",
  }),
  stop: endpoint({
    method: 'DELETE',
    path: '/whatsapp/flows/:id/test',
    access: 'flow:edit',
    peopleOnly: true,
    params: FlowParams,
    reply: Done,
    refuses: [404],
    summary: "Ends the caller's test of a flow.",
  }),
} as const
