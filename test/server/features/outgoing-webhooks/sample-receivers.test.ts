import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { newSecret, signedHeaders } from '#server/features/outgoing-webhooks/signature.ts'
import { aKey } from '#test/helpers/api-keys.ts'
import { flowPhone } from '#test/helpers/flow-stage.ts'
import { webhookStage } from '#test/helpers/webhook-stage.ts'

/** The receivers that the document for programs shows. */
const samples = [
  { language: 'js', file: 'receiver.mjs', command: process.execPath },
  { language: 'python', file: 'receiver.py', command: 'python3' },
] as const

const document = readFileSync('server/docs/api.md', 'utf8')
const codeOf = (language: string): string => {
  const [, code] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(document) ?? []
  if (code === undefined) throw new Error(`api.md shows no ${language}`)
  return code
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

interface Given {
  readonly secret: string
  readonly key?: string
  readonly recado?: string
}

const begin = async (
  t: Test,
  { language, file, command }: (typeof samples)[number],
  { secret, key = '', recado = 'http://127.0.0.1:9' }: Given,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-sample-'))
  writeFileSync(join(folder, file), codeOf(language))
  const port = await freePort()
  const child = spawn(command, [join(folder, file)], {
    env: {
      ...process.env,
      ...{ SECRET: secret, KEY: key, RECADO: recado, PORT: String(port), PYTHONUNBUFFERED: '1' },
    },
  })
  const printed: string[] = []
  child.stdout.on('data', data => void printed.push(String(data)))
  child.stderr.on('data', data => void printed.push(String(data)))
  t.teardown(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${port}/`
  for (let i = 0; i < 200; i += 1) {
    const isUp = await fetch(url, { method: 'POST' }).then(
      () => true,
      () => false,
    )
    if (isUp) break
    await pause(50)
  }
  return { url, printed }
}

/** Node always is; Python is not on every machine, and the report then says that its sample was not tried. */
const isThere = (command: string): boolean => spawnSync(command, ['--version']).status === 0

for (const sample of samples) {
  const options = isThere(sample.command) ? {} : { skip: `${sample.command} is not installed` }
  t.test(`the receiver in ${sample.language} takes what we sign, and nothing else`, options, async t => {
    const [secret, next] = [newSecret(), newSecret()]
    const { url, printed } = await begin(t, sample, { secret })
    const body = JSON.stringify({ type: 'message.received', timestamp: 'now', data: { message: { type: 'image' } } })
    const now = Math.floor(Date.now() / 1000)
    const post = async (secrets: string[], atSeconds = now, sent = body) => {
      const headers = signedHeaders(secrets, { id: 'd1', atSeconds, body })
      return (await fetch(url, { method: 'POST', body: sent, headers })).status
    }
    t.equal(await post([secret]), 204, printed.join(''))
    t.equal(await post([next, secret]), 204, 'signed with two secrets')
    t.equal(await post([next]), 401, 'with another secret')
    t.equal(await post([secret], now - 3600), 401, 'too old')
    t.equal(await post([secret], now, body.replace('image', 'text')), 401, 'changed on the way')
    t.equal((await fetch(url, { method: 'POST', body })).status, 401, 'not signed')
    t.match(printed.join(''), 'message.received')
  })
}

for (const sample of samples) {
  const options = isThere(sample.command) ? {} : { skip: `${sample.command} is not installed` }
  t.test(`the receiver in ${sample.language} answers a customer, once for each delivery`, options, async t => {
    const stage = await webhookStage(t)
    const { backend, call, program, heard } = stage
    const { key } = await aKey(backend.app, stage.owner.cookie)
    const secret = await stage.listen(['message.received'])
    const { url, printed } = await begin(t, sample, { secret, key, recado: backend.url })
    program.answer = ({ body, headers }) => fetch(url, { method: 'POST', body, headers })
    const answers = async () => {
      await backend.settle()
      const { items } = (await call('GET', `/whatsapp/chats/${flowPhone}`)).body as { items: { text: string }[] }
      return items.filter(({ text }) => text === 'Recibimos: ¿Tienen pan?').length
    }
    const untilAnswered = async (count: number) => {
      for (let i = 0; i < 200 && printed.join('').split('answered 202').length <= count; i += 1) await pause(50)
      return printed.join('')
    }
    await stage.say('¿Tienen pan?')
    await backend.settle()
    t.match(await untilAnswered(1), 'answered 202')
    t.equal(await answers(), 1)
    const [first] = heard
    t.equal((await fetch(url, { method: 'POST', body: first?.body ?? '', headers: first?.headers ?? {} })).status, 204)
    t.match(await untilAnswered(2), /answered 202[\s\S]*answered 202/)
    t.equal(await answers(), 1, 'a repeated delivery sends nothing more')
  })
}
