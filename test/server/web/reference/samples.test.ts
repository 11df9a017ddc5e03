import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { requestSample } from '#server/web/reference/samples.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { programsOf } from '#test/helpers/reference.ts'

const run = promisify(execFile)
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

t.test('programs of the reference run as they are copied', async t => {
  const { backend, call, owner } = await chatStage(t)
  await call('POST', '/sandbox/inbound', { from: '5491155550100', name: 'Ana', type: 'text', text: 'Hola' })
  await backend.settle()
  const { key } = await aKey(backend.app, owner.cookie)
  const folder = mkdtempSync(join(tmpdir(), 'recado-samples-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const pageOf = async (path: string) => (await backend.inject({ url: `/api/docs${path}` })).body
  // The installation's address is the only thing a reader would not change.
  const here = (program: string) => program.replaceAll(backend.parts.config.publicUrl, backend.url)
  const runners = {
    curl: ['curl', (text: string) => run('sh', ['-c', text], { env: { PATH: process.env.PATH, KEY: key } })],
    javascript: [
      process.execPath,
      (text: string) => {
        writeFileSync(join(folder, 'sample.mjs'), text)
        return run(process.execPath, [join(folder, 'sample.mjs')], { env: { KEY: key } })
      },
    ],
    python: ['python3', (text: string) => run('python3', ['-c', text], { env: { PATH: process.env.PATH, KEY: key } })],
  } as const

  for (const [language, [program, start]] of Object.entries(runners)) {
    const isMissing = !isThere(program) && `${program} is not on this machine`
    await t.test(language, { skip: isMissing }, async t => {
      /** The JSON that a program printed, behind the status. */
      const answerOf = async (page: string, id: string) => {
        const programs = programsOf(await pageOf(page), id)
        const { stdout } = await start(here(programs[language as keyof typeof runners]))
        return JSON.parse(stdout.slice(stdout.indexOf('{')))
      }
      t.match(await answerOf('/conversations', 'inbox.listConversations'), { items: [{ name: 'Ana' }] })
      t.match(await answerOf('', 'send'), { status: String, text: 'Tu pedido está en camino' })
      t.match(await answerOf('/contacts', 'tags.listTags'), { items: Array })
      t.match(await answerOf('/installation', 'health.alive'), Object)
    })
  }
  const sent = (await call('GET', '/whatsapp/chats/5491155550100')).body.items as { text: string }[]
  t.equal(
    sent.filter(({ text }) => text === 'Tu pedido está en camino').length,
    1,
    'the same idempotency-key in each language sent once',
  )
})

t.test('values with quotes, line breaks and other letters arrive as they are', async t => {
  const tricky = `It's "quoted" \\ $HOME \`x\` \n línea 2 😀 \u2028 %s`
  const server = await import('node:http').then(({ createServer }) =>
    createServer(async (request, response) => {
      response.end(Buffer.concat(await request.toArray()))
    }).listen(0, '127.0.0.1'),
  )
  t.teardown(() => server.close())
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const request = {
    method: 'POST',
    url: `http://127.0.0.1:${port}/it's`,
    headers: [{ name: 'content-type', text: 'application/json' }],
    body: { json: { text: tricky, none: null, yes: true, list: [], more: [{ a: 1.5 }] } },
    answer: 'text',
  } as const
  const env = { PATH: process.env.PATH }
  const programs = [
    ['curl', () => run('sh', ['-c', requestSample('curl', request)], { env })],
    [
      process.execPath,
      () => run(process.execPath, ['--input-type=module', '-e', requestSample('javascript', request)], { env }),
    ],
    ['python3', () => run('python3', ['-c', requestSample('python', request)], { env: { ...env, PYTHONUTF8: '1' } })],
  ] as const
  for (const [program, start] of programs)
    await t.test(program, { skip: !isThere(program) && `${program} is not on this machine` }, async t => {
      const { stdout } = await start()
      t.same(JSON.parse(stdout.slice(stdout.indexOf('{'))), request.body.json)
    })
})
