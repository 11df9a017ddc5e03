import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { readPostgresUrl } from '#server/platform/db/postgres/address.ts'

const faultsOf = (url: string) => readPostgresUrl(url).faults

t.test('an address without settings has the defaults', async t => {
  t.strictSame(readPostgresUrl('postgres://ana@db.example.com/recado'), {
    address: {
      host: 'db.example.com',
      port: 5432,
      user: 'ana',
      password: undefined,
      database: 'recado',
      schema: 'public',
      pool: 10,
      ssl: false,
      connectTimeoutMs: 10_000,
      statementTimeoutMs: 30_000,
      idleTimeoutMs: 60_000,
    },
    faults: [],
  })
})

t.test('all parts are read and unescaped', async t => {
  const { address } = readPostgresUrl(
    'postgresql://ana%40x:p%2Fa%3Ass@[::1]:6543/la%20casa?pool=40&sslmode=require&statement_timeout=5&idle_timeout=7&connect_timeout=3',
  )
  t.match(address, {
    host: '::1',
    port: 6543,
    user: 'ana@x',
    password: 'p/a:ss',
    database: 'la casa',
    pool: 40,
    ssl: { rejectUnauthorized: false },
    connectTimeoutMs: 3000,
    statementTimeoutMs: 5000,
    idleTimeoutMs: 7000,
  })
})

t.test('a certificate is verified if the address says so, by the named authority', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'recado-address-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'ca.pem')
  writeFileSync(path, 'a certificate')
  const sslOf = (query: string) => readPostgresUrl(`postgres://ana@db/recado?${query}`).address?.ssl
  t.strictSame(sslOf('sslmode=verify-full'), { rejectUnauthorized: true })
  t.strictSame(sslOf(`sslmode=verify-full&sslrootcert=${path}`), { rejectUnauthorized: true, ca: 'a certificate' })
  t.type((sslOf('sslmode=verify-ca') as { checkServerIdentity?: unknown }).checkServerIdentity, 'function')
  t.match(faultsOf(`postgres://ana@db/recado?sslrootcert=${path}`), [/verify-ca or verify-full/])
  t.match(faultsOf('postgres://ana@db/recado?sslmode=verify-ca&sslrootcert=/none'), [/no file to read/])
})

t.test('an invalid address is answered with the right form', async t => {
  for (const url of [
    'postgres:',
    'postgres://',
    'postgres://db/recado',
    'postgres://ana@db',
    'postgres://ana@db/',
    'postgres://ana@db/a/b',
    'postgres://ana@db:99999/recado',
    'postgres://ana@db/recado#x',
    'postgres://ana:%zz@db/recado',
  ])
    t.match(faultsOf(url), [/use the form postgres:\/\/user:password@host:5432\/database$/], url)
})

t.test('every invalid setting is named with valid values', async t => {
  const faults = faultsOf(
    'postgres://ana@db/recado?pool=1&statement_timeout=x&idle_timeout=-1&sslmode=maybe&color=red&pool=2',
  )
  t.equal(faults.length, 6)
  for (const [i, text] of [
    'pool="1": say it once',
    'color: there is no such setting',
    'sslmode="maybe": use one of disable, require, verify-ca, verify-full',
    'pool="1": use a number of connections from 3 to 200',
    'statement_timeout="x": use a number of seconds from 1 to 600',
    'idle_timeout="-1": use a number of seconds from 1 to 3600',
  ].entries())
    t.ok(
      faults.some(fault => fault.includes(text)),
      `${i}: ${text}`,
    )
})

t.test('no fault contains the password', async t => {
  for (const url of [
    'postgres://ana:secreta@db',
    'postgres://ana:sec@reta@db',
    'postgres://ana:sec/reta@db',
    'postgres://ana:secreta@db/recado?pool=0&password=secreta',
  ])
    for (const fault of faultsOf(url)) t.notMatch(fault, /secreta|reta@/, fault)
})
