import { callTexts, secretsInCall } from '../http/http.ts'
import { flowLimits } from '../limits.ts'
import { httpProblems } from '../problems/http-problems.ts'
import { type HttpCall, httpFields } from './http-fields.ts'
import type { NodeKind } from './kind.ts'

export { httpFields }

/** Calls a service and stores parts of its answer in variables. Only texts of this kind may name secrets. */
export const http: NodeKind<HttpCall> = {
  icon: 'M7 8a5 5 0 0 1 9.600-1.500A4.500 4.500 0 0 1 17.500 15.500M7 8a4 4 0 0 0-.5 7.900M12 12v9m-3-3 3 3 3-3',
  tone: 'decides',
  summary: ({ method, url }) => (url ? `${method} ${url}` : ''),
  defaults: {
    method: 'GET',
    url: '',
    headers: [],
    send: 'nothing',
    body: '',
    form: [],
    map: [],
    timeoutMs: flowLimits.callMs,
    mock: { status: 200, body: '' },
  },
  read: (data: Partial<HttpCall>) => ({
    send: data.body ? 'json' : data.form?.length ? 'form' : 'nothing',
    ...data,
  }),
  outputs: ({ refusals }) => ['next', ...(refusals ? ['refused'] : []), 'error'],
  personAt: 'error',
  waits: true,
  texts: callTexts,
  takesSecrets: true,
  problems: (node, { facts }) => httpProblems(node, facts),
  uses: node => ({ sets: node.map.map(({ variable }) => variable), secrets: secretsInCall(node) }),
}
