import t from 'tap'
import type { NodeOf } from '#shared/flows/graph.ts'
import {
  type CallResult,
  completeCall,
  namedIn,
  type PreparedCall,
  prepareCall,
  readCall,
  secretsInCall,
  withoutSecrets,
} from '#shared/flows/http/http.ts'
import { readPath, valueAt } from '#shared/flows/http/json-path.ts'
import { httpProblems } from '#shared/flows/problems/http-problems.ts'

const nobody = {
  'contacto.nombre': 'Ñandú',
  'contacto.telefono': '',
  'agente.nombre': '',
  'org.nombre': '',
  ultimo_mensaje: '',
}
const nodeOf = (part: Partial<NodeOf<'http'>>): NodeOf<'http'> => ({
  ...{ id: 'h', x: 0, y: 0, type: 'http', method: 'GET', url: 'https://tienda.example/pedidos', headers: [] },
  ...{ send: 'nothing', body: '', form: [], timeoutMs: 5000, map: [], mock: { status: 200, body: '' }, ...part },
})
const ready = (part: Partial<NodeOf<'http'>>, variables = {}): PreparedCall => {
  const call = prepareCall(nodeOf(part), variables, nobody)
  t.type(call, 'object', String(call))
  return call as PreparedCall
}
const secrets = new Map([['llave', 'a b&"c']])

t.test('values are encoded for their place in the request', async t => {
  const call = ready(
    {
      method: 'POST',
      url: 'https://tienda.example/p/{{flujo.n}}?k={{secret.llave}}',
      headers: [{ name: 'X-Quien', value: '{{contacto.nombre}} {{secret.llave}}' }],
      send: 'json',
      body: '{"n":"{{flujo.n}}","k":"{{secret.llave}}","d":"{{flujo.falta|nada}}"}',
    },
    { n: 'a/b?c&"d"\n\ud800' },
  )
  const sent = completeCall(call, secrets, 'once')
  t.equal(sent.address, 'https://tienda.example/p/a%2Fb%3Fc%26%22d%22%0A%EF%BF%BD?k=a%20b%26%22c')
  t.same(JSON.parse(sent.body ?? ''), { n: 'a/b?c&"d"\n\ufffd', k: 'a b&"c', d: 'nada' })
  t.match(sent.headers, { 'x-quien': '%C3%91and%C3%BA a b&"c', 'content-type': 'application/json' })
  t.notOk('idempotency-key' in sent.headers)
  const form = ready({
    method: 'PATCH',
    send: 'form',
    form: [{ name: 'a b', value: '{{contacto.nombre}}&x=1' }],
    idempotencyKey: true,
  })
  t.equal(completeCall(form, new Map(), 'once').body, 'a%20b=%C3%91and%C3%BA&x=1')
  t.equal(completeCall(form, new Map(), 'once').headers['idempotency-key' as never], 'once')
  t.ok(form.isSafe)
})

t.test('a customer’s text can neither refer to a secret nor change the path', async t => {
  const call = ready({ url: 'https://tienda.example/p?q={{flujo.n}}' }, { n: '{{secret.llave}}' })
  t.same(namedIn(call), [])
  t.notMatch(completeCall(call, secrets, '').address, 'a%20b')
  const inPath = (n: string) => prepareCall(nodeOf({ url: 'https://tienda.example/p/{{flujo.n}}/x' }), { n }, nobody)
  for (const n of ['..', '.']) t.equal(inPath(n), 'callAddress', n)
  const spelt = inPath('%2e%2e/../x') as PreparedCall
  t.equal(new URL(completeCall(spelt, new Map(), '').address).pathname, '/p/%252e%252e%2F..%2Fx/x')
})

t.test('a secret in a response is removed, in any encoding', async t => {
  t.equal(withoutSecrets('x a b&"c y a%20b%26%22c z a b&\\"c', secrets.values()), 'x ••• y ••• z •••')
})

t.test('a path reads only own properties of the response', async t => {
  const answer = { a: { 'b c': [{ d: 1 }, 'x'] }, n: null, f: false }
  const at = (path: string) => {
    const keys = readPath(path)
    return keys && valueAt(answer, keys)
  }
  t.equal(at('a["b c"][0].d'), '1')
  t.equal(at("$.a['b c'][1]"), 'x')
  t.equal(at('a.b'), '')
  t.equal(at('n'), '')
  t.equal(at('f'), 'false')
  t.equal(at('$'), JSON.stringify(answer))
  for (const path of ['constructor', '__proto__.x', 'a.toString', 'a.length']) t.equal(at(path), '', path)
  for (const path of ['', '..a', 'a..b', 'a[', 'a[x]', 'a b', '$a[', 'a.b.c.d.e.f.g.h.i.j.k'])
    t.equal(at(path), undefined, path)
})

t.test('a response leads to its output', async t => {
  const node = nodeOf({ map: [{ variable: 'estado', path: 'estado' }], refusals: true })
  const read = (status: number, text: string, of = node) => {
    const { output, why, values } = readCall(of, { kind: 'answered', status, text, ms: 3, tries: 1 })
    return [output, why, values]
  }
  t.same(read(200, '{"estado":"listo"}'), ['next', 'callAnswered', { estado: 'listo' }])
  t.same(read(204, ''), ['error', 'callNotJson', {}])
  t.same(read(204, '', nodeOf({})), ['next', 'callAnswered', {}])
  t.same(read(200, 'hola', nodeOf({ map: [{ variable: 'x', path: '$' }] })), ['next', 'callAnswered', { x: 'hola' }])
  t.same(read(404, ''), ['refused', 'callRefused', {}])
  t.same(read(404, '', nodeOf({})), ['error', 'callRefused', {}])
  t.same(read(302, ''), ['error', 'callRejected', {}])
  t.same(read(500, ''), ['error', 'callRejected', {}])
  const failed: CallResult = { kind: 'failed', why: 'callTimedOut', ms: 1, tries: 3 }
  t.match(readCall(node, failed), { output: 'error', facts: { status: null, ms: 1, tries: 3 } })
})

t.test('invalid calls are reported before they are made', async t => {
  const codes = (part: Partial<NodeOf<'http'>>, known: { name: string; host: string }[] = []) =>
    httpProblems(nodeOf(part), { secrets: known }).map(({ code }) => code)
  t.same(codes({}), [])
  t.same(codes({ url: ' ' }), ['urlMissing'])
  for (const url of [
    'http://tienda.example/',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::1]/',
    'https://localhost/',
    'https://caja.internal/',
    'https://tienda.example:8443/',
    'https://ana:clave@tienda.example/',
    'https://{{flujo.host}}/',
    'https://tienda.example{{flujo.host}}/',
    'https://tienda{{flujo.host}}.example/',
    'https://tienda.example/{{flujo.a}}\\x',
    'https://tienda.example/{{flujo.a}}\tx',
    'nada',
  ])
    t.same(codes({ url }), ['urlNotAllowed'], url)
  t.same(codes({ url: 'https://tienda.example/{{flujo.a}}?b={{flujo.b}}' }), [])
  const key = 'https://tienda.example/?k={{secret.llave}}'
  t.same(codes({ url: key }), ['secretUnknown'])
  t.same(codes({ url: key }, [{ name: 'llave', host: 'otra.example' }]), ['secretElsewhere'])
  t.same(codes({ url: key }, [{ name: 'llave', host: 'tienda.example' }]), [])
  t.same(codes({ url: 'https://tienda.example/{{secret.llave}}/' }, [{ name: 'llave', host: 'tienda.example' }]), [
    'secretInPath',
  ])
  for (const name of ['', 'Host', 'content-length', 'a b', 'x\ny', 'proxy-authorization'])
    t.same(codes({ headers: [{ name, value: '' }] }), ['headerInvalid'], name)
  for (const body of ['', '{"a":{{flujo.a}}}', '{"a":1{{flujo.a}}}', '{"a":"\\{{flujo.a}}"}'])
    t.same(codes({ method: 'POST', send: 'json', body }), ['bodyNotJson'], body)
  t.same(codes({ method: 'POST', send: 'json', body: '{"a":["{{flujo.a}}"]}' }), [])
  t.same(codes({ send: 'json', body: '{}' }), ['bodyOfGet'])
  t.same(codes({ map: [{ variable: 'a', path: '' }] }), ['pathInvalid'])
  t.same(codes({ map: [{ variable: '', path: 'a' }] }), ['variableMissing'])
  t.same(secretsInCall(nodeOf({ send: 'form', form: [{ name: 'a', value: '{{ secret.llave }}' }] })), ['llave'])
})
