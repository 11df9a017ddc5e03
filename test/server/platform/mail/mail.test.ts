import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { codeLetter, invitationLetter } from '#server/identity/mail/letters.ts'
import { createMail, maskAddress } from '#server/platform/mail/mail.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { systemClock } from '#server/platform/time/clock.ts'
import { anInstallation, codeIn } from '#test/helpers/sign-in.ts'

const i18n = createServerI18n()
const letter = { to: 'ana@example.com', subject: 'Hola', text: 'Hola, Ana\n' }
const aCode = { to: 'ana@example.com', use: 'signIn', code: '049213', minutes: 10 } as const

const aMail = (t: Test, smtpUrl?: string) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-mail-'))
  t.teardown(() => rmSync(dataDir, { recursive: true }))
  const lines: string[] = []
  const log = { info: (facts: object, text: string) => lines.push(`${JSON.stringify(facts)} ${text}`) } as never
  const mail = createMail({
    config: { dataDir, mail: { smtpUrl, from: 'Recado <recado@example.com>' } },
    clock: systemClock,
    log,
  })
  return { mail, lines, dataDir, folder: join(dataDir, 'mail') }
}

/** The part of RFC 5321 that a client needs; `refuse` maps commands to error replies. */
const smtpServer = async (t: Test, refuse: Record<string, string> = {}) => {
  const letters: string[] = []
  const commands: string[] = []
  const server = createServer(socket => {
    let inData = false
    let pending = ''
    socket.on('error', () => socket.destroy())
    socket.write('220 test\r\n')
    socket.on('data', chunk => {
      pending += chunk
      for (let end = pending.indexOf('\r\n'); end !== -1; end = pending.indexOf('\r\n')) {
        if (inData) {
          const stop = pending.indexOf('\r\n.\r\n')
          if (stop === -1) return
          letters.push(pending.slice(0, stop))
          pending = pending.slice(stop + 5)
          inData = false
          socket.write('250 kept\r\n')
          continue
        }
        const line = pending.slice(0, end)
        pending = pending.slice(end + 2)
        commands.push(line)
        const verb = line.split(/[ :]/)[0]?.toUpperCase() ?? ''
        if (refuse[verb]) socket.write(`${refuse[verb]}\r\n`)
        else if (verb === 'DATA') {
          inData = true
          socket.write('354 go\r\n')
        } else if (verb === 'QUIT') socket.end('221 bye\r\n')
        else socket.write('250 ok\r\n')
      }
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.teardown(() => new Promise(resolve => server.close(resolve)))
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, letters, commands }
}

t.test(
  'without a mail server a mail is a file readable by its owner only, and a log line without address and code',
  async t => {
    const { mail, folder, lines } = aMail(t)
    await mail.send(codeLetter(i18n.translator('es'), aCode))
    const [name, ...others] = readdirSync(folder)
    t.same(others, [])
    t.match(name, /^\d{8}T\d{9}Z-\w+\.eml$/)
    t.equal(statSync(join(folder, name as string)).mode & 0o777, 0o600)
    t.equal(statSync(folder).mode & 0o777, 0o700)
    const text = readFileSync(join(folder, name as string), 'utf8')
    t.match(text, /^From: Recado <recado@example\.com>\r\nTo: ana@example\.com\r\n/)
    t.equal(codeIn(text), '049213')
    t.equal(text.replaceAll('\r\n', '').includes('\n'), false, 'lines end as RFC 822 requires')
    t.equal(lines.length, 1)
    t.match(lines[0], 'a…@example.com')
    t.notMatch(lines[0], /049213|ana@/)
  },
)

t.test('a rehearsal leaves no mail', async t => {
  const { mail, folder } = aMail(t)
  await mail.rehearse(letter)
  t.same(readdirSync(folder), [])
})

t.test('an unwritable folder causes an error, not a crash', async t => {
  const { mail, dataDir } = aMail(t)
  writeFileSync(join(dataDir, 'mail'), 'in the way')
  await t.rejects(mail.send(letter), { code: 'MAIL_UNAVAILABLE', status: 503 })
  await t.rejects(mail.rehearse(letter), { code: 'MAIL_UNAVAILABLE' })
})

t.test('with a mail server the mail goes only there', async t => {
  const { url, letters, commands } = await smtpServer(t)
  const { mail, dataDir } = aMail(t, url)
  await mail.send(codeLetter(i18n.translator('en'), aCode))
  t.equal(letters.length, 1)
  t.equal(codeIn(letters[0]), '049213')
  t.same(
    commands.filter(line => line.startsWith('RCPT')),
    ['RCPT TO:<ana@example.com>'],
  )
  t.same(readdirSync(dataDir), [])
  await mail.rehearse(letter)
  t.equal(letters.length, 1)
})

t.test('a comma in an address makes no second recipient', async t => {
  const { url, commands } = await smtpServer(t)
  const { mail } = aMail(t, url)
  await mail.send({ ...letter, to: 'ana@example.com, eva@example.com' }).catch(() => undefined)
  t.ok(commands.filter(line => line.startsWith('RCPT')).length <= 1)
})

t.test('an unreachable server, a refusal of us and a refused recipient give different errors', async t => {
  const away = aMail(t, 'smtp://127.0.0.1:9')
  await t.rejects(away.mail.send(letter), { code: 'MAIL_UNAVAILABLE' })
  await t.rejects(away.mail.rehearse(letter), { code: 'MAIL_UNAVAILABLE' })
  const closed = await smtpServer(t, { MAIL: '451 try later' })
  await t.rejects(aMail(t, closed.url).mail.send(letter), { code: 'MAIL_UNAVAILABLE' })
  const picky = await smtpServer(t, { RCPT: '550 no such mailbox' })
  await t.rejects(aMail(t, picky.url).mail.send(letter), { code: 'MAIL_RECIPIENT_REFUSED' })
})

t.test('markup in names stays text', async t => {
  const facts = {
    to: 'ana@example.com',
    org: '<b>Pan & Co</b>',
    inviter: '"Luis"',
    link: 'http://localhost:3000/org/pan/invitation?id=1&x=2',
    days: 7,
  }
  const { html, text, subject } = invitationLetter(i18n.translator('es'), facts)
  t.notMatch(html, '<b>')
  t.match(text, '<b>Pan & Co</b>')
  t.match(subject, 'Te invitaron a <b>Pan & Co</b> en Recado')
  t.equal(maskAddress('ana@example.com'), 'a…@example.com')
})

t.test('without a mail server sign-in gives an error, an earlier code still works, and no try is lost', async t => {
  let isAway = false
  const writes = aMail(t)
  const away = aMail(t, 'smtp://127.0.0.1:9')
  const mail = {
    send: (one: typeof letter) => (isAway ? away : writes).mail.send(one),
    rehearse: (one: typeof letter) => (isAway ? away : writes).mail.rehearse(one),
  }
  const backend = await anInstallation({ mail, env: { SIGNUP: 'invite' } })
  t.teardown(backend.end)
  await backend.askCode('ana@example.com')
  const code = codeIn(readFileSync(join(writes.folder, readdirSync(writes.folder)[0] as string), 'utf8'))
  isAway = true
  for (let i = 0; i < 7; i += 1) {
    const reply = await backend.askCode('ana@example.com', { 'accept-language': 'es' })
    t.equal(reply.statusCode, 503)
    t.match(reply.json(), { code: 'MAIL_UNAVAILABLE', message: /^El correo no se pudo enviar/ })
  }
  t.equal((await backend.enter('ana@example.com', code)).statusCode, 200)
  t.equal((await backend.askCode('stranger@example.com')).statusCode, 503, 'a stranger gets the same answer')
  isAway = false
  t.equal((await backend.askCode('ana@example.com')).statusCode, 200)
})

t.test('a missing mailbox is not revealed to the caller', async t => {
  const { url } = await smtpServer(t, { RCPT: '550 no such mailbox' })
  const { mail } = aMail(t, url)
  const backend = await anInstallation({ mail, env: { SIGNUP: 'open' } })
  t.teardown(backend.end)
  const reply = await backend.askCode('ana@example.com')
  t.equal(reply.statusCode, 200)
  t.same(reply.json(), { success: true })
})
