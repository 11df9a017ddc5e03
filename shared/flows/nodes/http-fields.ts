import { Type } from 'typebox'
import { flowLimits } from '../limits.ts'
import { type ContentOf, closed, VariableName } from './fields.ts'

export const httpMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** The kinds of a call's body. */
export const httpBodies = ['nothing', 'json', 'form'] as const

/** Headers, or fields of a form; values may hold variables and secrets. */
const Pairs = Type.Array(
  Type.Object({ name: Type.String({ maxLength: 100 }), value: Type.String({ maxLength: 1024 }) }, closed),
  { maxItems: flowLimits.pairs },
)
export const httpFields = {
  method: Type.Optional(Type.Enum(httpMethods, { description: 'Absent: GET.' })),
  url: Type.Optional(
    Type.String({
      maxLength: flowLimits.url,
      description: 'https. Behind the host it may hold variables, behind `?` secrets, such as {{secret.tienda}}.',
    }),
  ),
  headers: Type.Optional(Pairs),
  send: Type.Optional(Type.Enum(httpBodies, { description: 'Absent: what is given, `body` or `form`.' })),
  body: Type.Optional(
    Type.String({ maxLength: flowLimits.text, description: 'JSON; variables and secrets stand inside its texts.' }),
  ),
  form: Type.Optional(Pairs),
  timeoutMs: Type.Optional(
    Type.Integer({ minimum: 1000, maximum: flowLimits.callMs, description: 'Of each try. Absent: all of it.' }),
  ),
  map: Type.Optional(
    Type.Array(
      Type.Object(
        { variable: VariableName, path: Type.String({ maxLength: 200, description: '`items[0].name`' }) },
        closed,
      ),
      { maxItems: flowLimits.kept, description: 'Which values of a JSON response become which variables.' },
    ),
  ),
  idempotencyKey: Type.Optional(
    Type.Boolean({ description: 'The service knows a repetition by this header: POST and PATCH are tried again.' }),
  ),
  refusals: Type.Optional(
    Type.Boolean({ description: 'After a status of 400 to 499 the flow continues at the handle `refused`.' }),
  ),
  mock: Type.Optional(
    Type.Object(
      { status: Type.Integer({ minimum: 100, maximum: 599 }), body: Type.String({ maxLength: flowLimits.text }) },
      { ...closed, description: 'The response in a simulation. Absent: 200 with an empty body.' },
    ),
  ),
}
/** The content of a node that calls a service. */
export type HttpCall = ContentOf<
  typeof httpFields,
  'method' | 'url' | 'headers' | 'send' | 'body' | 'form' | 'timeoutMs' | 'map' | 'mock'
>
export type HttpPair = HttpCall['headers'][number]
