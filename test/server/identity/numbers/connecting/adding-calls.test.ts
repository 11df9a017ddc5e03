import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test(
  'over HTTP: the simulator accepts a name at once, and an error names its field in the caller’s language',
  async t => {
    const backend = await startBackend(t)
    const owner = await aMember({ databases: backend.databases })
    const guest = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
    const call = async (
      method: 'POST' | 'PUT' | 'GET',
      path: string,
      payload?: object,
      cookie = owner.cookie,
      language = 'es',
    ) => {
      const reply = await backend.inject({
        method,
        url: `/api${path}`,
        headers: { cookie, origin: 'http://localhost:3000', 'accept-language': language },
        ...(payload ? { payload } : {}),
      })
      return { status: reply.statusCode, json: reply.json() }
    }
    await call('POST', '/whatsapp/connection/sandbox')
    const { json: waba } = await call('GET', '/verify/waba')
    const { phone } = waba as { phone: string }

    const renamed = await call('PUT', '/whatsapp/namewaba', { name: 'Panadería Don Luis', phone })
    t.match(renamed, { status: 200, json: { phone, verifiedName: 'Panadería Don Luis', state: 'inUse' } })
    t.match(await call('GET', '/verify/waba'), { json: { verifiedName: 'Panadería Don Luis' } })

    t.match(await call('POST', '/whatsapp/number', { phone, nameWaba: 'Don Luis' }), {
      status: 200,
      json: { state: 'connected' },
    })
    t.match(await call('POST', '/verify/auth', { code: '123456', number: phone }), {
      status: 200,
      json: { phone, kind: 'sandbox' },
    })
    t.match(await call('POST', '/whatsapp/number', { phone: '11 5555-1234', nameWaba: 'Norte' }), {
      status: 409,
      json: { code: 'NUMBERS_SANDBOX_HAS_ONE', message: /simulador/ },
    })
    t.match(await call('POST', '/verify/auth', { code: '123456', number: '+54 9 11 5555-1234' }), {
      status: 404,
      json: { code: 'NUMBERS_NOT_ADDED', message: /Agregalo primero/, details: [{ field: 'body.number' }] },
    })
    t.match(await call('PUT', '/whatsapp/namewaba', { name: 'X', phone: 'ninguno' }), {
      status: 400,
      json: { code: 'NUMBERS_NUMBER_INVALID', details: [{ field: 'body.phone', message: 'No es válido.' }] },
    })
    t.match(await call('PUT', '/whatsapp/namewaba', { name: '  ', phone }), {
      status: 400,
      json: { details: [{ field: 'body.name' }] },
    })
    t.match(await call('POST', '/verify/auth', { number: phone }, owner.cookie, 'en'), {
      status: 400,
      json: { details: [{ field: 'body.code', message: /missing/i }] },
    })
    for (const [method, path, payload] of [
      ['POST', '/whatsapp/number', { phone, nameWaba: 'Don Luis' }],
      ['POST', '/verify/auth', { code: '123456', number: phone }],
      ['PUT', '/whatsapp/namewaba', { name: 'Don Luis', phone }],
    ] as const)
      t.match(await call(method, path, payload, guest.cookie), { status: 403 }, path)

    const { json: audit } = await call('GET', '/organization/audit')
    t.match(JSON.stringify(audit), /numberNameAsked/)
    t.same(backend.errors(), [])
  },
)
