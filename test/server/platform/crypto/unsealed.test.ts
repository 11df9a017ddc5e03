import t from 'tap'
import { examineEncryption, examinePasswordList } from '#server/cli/examine/safety.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { unsealedConnections } from '#server/platform/crypto/unsealed.ts'

const of = (env: Record<string, string>) => unsealedConnections(readConfig(env))
const keys = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }
const from = { MAIL_FROM: 'recado@example.com' }

t.test('unencrypted connections to other machines are named by their variable', async t => {
  t.same(of({}), [], 'a trial on one machine has none')
  t.same(of({ PUBLIC_URL: 'http://recado.example.com' }), ['PUBLIC_URL'])
  t.same(of({ GRAPH_URL: 'http://graph.example.com' }), ['GRAPH_URL'])
  t.same(of({ MEDIA_URL: 's3://bucket?endpoint=http://s3.example.com&region=x', ...keys }), ['MEDIA_URL'])
  t.same(of({ SMTP_URL: 'smtp://mail.example.com:587', ...from }), ['SMTP_URL'])
  t.same(of({ DATABASE_URL: 'postgres://a:b@db.example.com/recado' }), ['DATABASE_URL'])
})

t.test('encrypted and local connections are not', async t => {
  const sealed: Record<string, string>[] = [
    { PUBLIC_URL: 'https://recado.example.com' },
    { PUBLIC_URL: 'http://127.0.0.1:3000' },
    { PUBLIC_URL: 'http://[::1]:3000' },
    { PUBLIC_URL: 'http://recado.localhost' },
    { MEDIA_URL: 's3://bucket?endpoint=http://localhost:9000&region=x', ...keys },
    { SMTP_URL: 'smtps://mail.example.com:465', ...from },
    { SMTP_URL: 'smtp://mail.example.com:587?requireTLS=true', ...from },
    { SMTP_URL: 'smtp://localhost:25', ...from },
    { DATABASE_URL: 'postgres://a:b@db.example.com/recado?sslmode=require' },
    { DATABASE_URL: 'postgres://a:b@127.0.0.1/recado' },
  ]
  for (const env of sealed) t.same(of(env), [], Object.values(env).join(' '))
})

t.test('doctor reports them, and fails for PUBLIC_URL', async t => {
  t.match(examineEncryption(readConfig({ PUBLIC_URL: 'http://recado.example.com' })), {
    says: /PUBLIC_URL/,
    fix: /https/,
  })
  const inside = examineEncryption(readConfig({ DATABASE_URL: 'postgres://a:b@db/recado' }))
  t.match(inside, { says: /DATABASE_URL/ })
  t.notOk(inside.fix)
  t.match(await examinePasswordList(readConfig({})), { says: /rules alone/ })
  await t.rejects(examinePasswordList(readConfig({ PASSWORD_LIST: '/nowhere' })), /PASSWORD_LIST/)
})
