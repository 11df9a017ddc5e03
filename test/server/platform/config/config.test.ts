import t from 'tap'
import { ConfigError, readConfig } from '#server/platform/config/config.ts'

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
}

t.test('an empty environment is enough', async t => {
  const config = readConfig({})
  t.equal(config.publicUrl, 'http://localhost:3000')
  t.equal(config.host, '127.0.0.1')
})

t.test('every wrong variable is reported at once, each by name and only once', async t => {
  const env = {
    PORT: 'abc',
    PUBLIC_URL: 'recado',
    DATABASE_URL: 'mysql://ana:secreta@db/recado',
    MEDIA_URL: 's3://ana:secreta@',
    AUTH_SECRET: 'x',
    SIGNUP: 'all',
    SMTP_URL: 'mail.example.com',
    MAIL_FROM: 'nobody',
    GRAPH_URL: 'ftp://x',
    GRAPH_VERSION: '25',
    META_APP_SECRET: 'only-one-of-two',
    SANDBOX: 'yes',
    PRODUCT_API_URL: 'nope',
    PRODUCT_API_SECRET: 'short',
    OUTBOUND_ALLOW: '127.0.0.1,localhost',
    METRICS_TOKEN: 'two words',
    TRUST_PROXY: '127.0.0.1,banana',
    LOG_LEVEL: 'loud',
  }
  const faults = faultsOf(env)
  for (const name of Object.keys(env)) t.equal(faults.filter(fault => fault.includes(name)).length, 1, name)
  t.equal(faults.length, Object.keys(env).length)
  t.notOk(faults.join().includes('secreta'), 'a password is not printed')
})

t.test('a wrong PORT is not blamed on PUBLIC_URL', async t => {
  for (const PORT of ['abc', '-1', '70000', '0x10', '1e3', '3000.5']) {
    const faults = faultsOf({ PORT })
    t.strictSame([faults.length, faults[0]?.startsWith(`PORT="${PORT}"`)], [1, true], PORT)
  }
})

t.test('PUBLIC_URL is the address of a site and nothing more', async t => {
  t.match(faultsOf({ PUBLIC_URL: 'nope' })[0], /^Invalid base URL: .* Please provide a valid base URL/)
  for (const rest of ['/inbox', '/?a=1', '/#top'])
    t.equal(faultsOf({ PUBLIC_URL: `https://a.example${rest}` }).length, 1)
  const [withPassword] = faultsOf({ PUBLIC_URL: 'https://ana:secreta@a.example' })
  t.match(withPassword, /Invalid base URL/)
  t.notMatch(withPassword, /secreta/)
  t.equal(readConfig({ PUBLIC_URL: 'https://a.example/' }).publicUrl, 'https://a.example')
})

t.test('TRUST_PROXY takes addresses, ranges and the three names', async t => {
  const TRUST_PROXY = 'loopback, 10.0.0.0/8,::1,fd00::/8'
  t.strictSame(readConfig({ TRUST_PROXY }).trustProxy, ['loopback', '10.0.0.0/8', '::1', 'fd00::/8'])
  for (const wrong of ['true', '1', '10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/8/8', 'proxy.local'])
    t.equal(faultsOf({ TRUST_PROXY: wrong }).length, 1, wrong)
})

t.test('half of a shared Meta app is refused, because its webhook would refuse everything', async t => {
  t.match(faultsOf({ META_VERIFY_TOKEN: 'abcdefgh' })[0], /META_APP_SECRET is missing/)
  t.match(faultsOf({ META_APP_SECRET: 'abcdefgh' })[0], /META_VERIFY_TOKEN is missing/)
  t.strictSame(faultsOf({ META_APP_SECRET: 'abcdefgh', META_VERIFY_TOKEN: 'abcdefgh' }), [])
})

t.test('the id of Meta’s dialog requires the app, and ids are digits', async t => {
  const app = { META_APP_ID: '67', META_APP_SECRET: 'abcdefgh', META_VERIFY_TOKEN: 'abcdefgh' }
  t.match(faultsOf({ META_CONFIG_ID: '12' })[0], /META_CONFIG_ID needs the app it belongs to/)
  t.match(faultsOf({ ...app, META_CONFIG_ID: 'doce' })[0], /META_CONFIG_ID="doce": use the digits/)
  t.match(readConfig({ ...app, META_CONFIG_ID: '12' }).meta, { appId: '67', configId: '12' })
})

t.test('an address of PostgreSQL is read completely, and printed without its password', async t => {
  const { postgres, databaseName } = readConfig({ DATABASE_URL: 'postgres://ana:secreta@db/recado?pool=5' })
  t.match(postgres, { host: 'db', port: 5432, user: 'ana', password: 'secreta', database: 'recado', pool: 5 })
  t.equal(databaseName, 'postgres://…@db/recado?pool=5')
  t.match(readConfig({ DATA_DIR: '/srv' }), { postgres: undefined, databaseName: '/srv/recado.db' })
  t.match(faultsOf({ DATABASE_URL: 'mysql://ana:secreta@db/recado' }), [/^DATABASE_URL="mysql:\/\/…@db\/recado": use/])
  t.match(faultsOf({ DATABASE_URL: 'postgresql://db' }), [/use the form postgres:\/\//])
  t.match(faultsOf({ DATABASE_URL: 'postgres://ana@db/recado?pool=0' }), [/pool="0": use a number of connections/])
})

t.test('a database address without a file is refused', async t => {
  t.equal(faultsOf({ DATABASE_URL: 'sqlite:' }).length, 1)
  t.equal(readConfig({ DATABASE_URL: 'sqlite:/srv/recado.db' }).databasePath, '/srv/recado.db')
})
