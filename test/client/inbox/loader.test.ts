import { RouterContextProvider } from 'react-router'
import t from 'tap'
import { chatLoader } from '#client/inbox/loader.ts'

const open = (phone: string) =>
  chatLoader({
    request: new Request(`http://localhost/org/pan/c/${encodeURIComponent(phone)}`),
    url: new URL('http://localhost/org/pan/c/'),
    params: { org: 'pan', phone },
    pattern: '/org/:org/c/:phone',
    context: new RouterContextProvider(),
  })

t.test('an impossible address is a 404 page, without a request', async t => {
  for (const phone of ['masive', 'hola', '123', '54 9 11', 'ar.123', '١٢٣٤٥٦٧'])
    t.match(await open(phone).catch(refusal => refusal), { type: 'DataWithResponseInit', init: { status: 404 } }, phone)
})
