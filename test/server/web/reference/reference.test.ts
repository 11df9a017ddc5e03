import { createHash } from 'node:crypto'
import t from 'tap'
import { errorCodes } from '#server/platform/http/errors.ts'
import { groups, referenceGroup } from '#server/web/reference/groups.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { programsOf } from '#test/helpers/reference.ts'

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security?: readonly object[]
}

const referenceOf = async (t: Parameters<typeof startBackend>[0]) => {
  const backend = await startBackend(t, {
    env: { META_APP_SECRET: 'secret', META_VERIFY_TOKEN: 'token', PUBLIC_URL: 'https://recado.example' },
  })
  const pageOf = async (path: string, headers = {}) => backend.inject({ url: `/api/docs${path}`, headers })
  const document = (await backend.inject({ url: '/api/openapi.json' })).json() as {
    tags: { name: string; description: string }[]
    paths: Record<string, Record<string, Operation>>
  }
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const [service = '', ...name] = operation.operationId.split('.')
      return { path, method: method.toUpperCase(), operation, call: { service, name: name.join('.') } }
    }),
  )
  return { pageOf, document, operations }
}

t.test('every call is in one part, with its programs', async t => {
  const { pageOf, document, operations } = await referenceOf(t)
  const pages = new Map<string, string>()
  for (const group of groups) pages.set(group, (await pageOf(`/${group}?lng=en`)).body)
  const faults: string[] = []
  const expect = (holds: boolean, fault: string) => void (holds || faults.push(fault))
  for (const { path, method, operation, call } of operations) {
    const id = operation.operationId
    if (referenceGroup(call) === 'installation')
      expect(['site', 'health', 'api', 'manual'].includes(call.service), `${call.service} is in no part`)
    const page = pages.get(referenceGroup(call)) ?? ''
    const section = page.slice(page.indexOf(`<details class="call" id="${id}"`))
    const address = path.replace(/\{(\w+)\}/g, ':$1')
    expect(section.startsWith(`<details class="call" id="${id}"`), `${id} on its page`)
    expect(section.slice(0, 900).includes(`<code>${address}</code>`), `${id} at ${address}`)
    const { curl, javascript, python } = programsOf(page, id)
    const takesKey = JSON.stringify(operation.security ?? []).includes('"key"')
    expect(curl.startsWith('curl'), `${id} for curl`)
    expect(curl.includes('x-api-key: $KEY') === takesKey, `${id} for curl with a key`)
    expect(javascript.includes('process.env.KEY') === takesKey, `${id} for Node with a key`)
    expect(python.includes('os.environ["KEY"]') === takesKey, `${id} for Python with a key`)
    expect(curl.includes(`-X ${method}`) === (method !== 'GET'), `${id} by ${method}`)
  }
  t.same(faults, [])
  t.same(
    [...new Set(operations.flatMap(({ operation }) => operation.tags))].toSorted(),
    document.tags.map(({ name }) => name).toSorted(),
  )
  t.equal(document.tags.length, groups.length)
  for (const { description } of document.tags) t.ok(description)
})

t.test('the pages are in the language of the reader, and load nothing from elsewhere', async t => {
  const { pageOf } = await referenceOf(t)
  const seen: string[] = []
  for (const page of ['', ...groups.map(one => `/${one}`), '/events', '/errors'])
    for (const language of ['es', 'en']) {
      const chosen = await pageOf(`${page}?lng=${language}`)
      t.equal(chosen.statusCode, 200, page)
      t.match(chosen.headers['content-type'], 'text/html')
      t.match(chosen.body, `<html lang="${language}">`)
      const said = chosen.body.replace(/<(script|style)>[\s\S]*?<\/\1>/g, '').replace(/<code>[\s\S]*?<\/code>/g, '')
      t.notOk(/docs:\w|errors:APP|undefined/.exec(said)?.[0], `${page} has all its texts`)
      t.notMatch(chosen.body, /<(?:script|link|img)[^>]+(?:src|href)="(?!\/favicon)/, `${page} loads nothing else`)
      t.notMatch(chosen.body, / (?:style|on\w+)="/, `${page} has nothing inline that the policy refuses`)
      const policy = String(chosen.headers['content-security-policy'])
      for (const part of ['style', 'script']) {
        const text = new RegExp(`<${part}>([\\s\\S]*?)</${part}>`).exec(chosen.body)?.[1] as string
        t.ok(
          policy.includes(`${part}-src 'sha256-${createHash('sha256').update(text).digest('base64')}'`),
          `${page} ${part}`,
        )
      }
      t.match(policy, "default-src 'none'")
      seen.push(chosen.body)
    }
  t.equal(new Set(seen).size, seen.length)
  t.match((await pageOf('', { 'accept-language': 'en' })).body, '<html lang="en">')
  const errors = (await pageOf('/errors?lng=en')).body
  for (const code of errorCodes.keys()) t.match(errors, `<code>${code}</code>`)
  t.equal((await pageOf('/nothing')).statusCode, 404)
  t.equal((await pageOf('/constructor')).statusCode, 404)
})

t.test('search finds calls by words, and shows what was typed as text', async t => {
  const { pageOf } = await referenceOf(t)
  const found = async (q: string, lng = 'en') => (await pageOf(`?lng=${lng}&q=${encodeURIComponent(q)}`)).body
  const firstOf = (page: string) => /<ul class="found"><li><a href="([^"]+)"/.exec(page)?.[1]
  t.equal(firstOf(await found('send message')), '/api/docs/messages?lng=en#inbox.sendMessage')
  t.equal(firstOf(await found('POST /api/whatsapp/messages')), '/api/docs/messages?lng=en#inbox.sendMessage')
  t.match(firstOf(await found('plantillas', 'es')), '/api/docs/templates', 'the names of parts are searched, too')
  t.match(await found('qqqq'), 'No calls match')
  const hostile = await found('"><script>alert(1)</script>')
  t.notMatch(hostile, '<script>alert')
  t.match(hostile, '&quot;&gt;&lt;script&gt;')
  t.equal((await pageOf(`?q=${'a'.repeat(5000)}`)).statusCode, 200)
  t.equal((await pageOf('?q=a&q=b')).statusCode, 200)
})
