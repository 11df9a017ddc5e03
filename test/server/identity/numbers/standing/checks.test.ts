import t from 'tap'
import { type CheckFacts, type CheckId, findingsOf } from '#server/identity/numbers/standing/checks.ts'
import type { StandingFacts } from '#server/identity/numbers/standing/facts.ts'

const now = Date.parse('2026-11-26T12:00:00.000Z')
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString()
const own = 'https://recado.example/webhooks/whatsapp/c1'

const token = {
  isValid: true,
  appId: '7',
  expiresAt: null as string | null | undefined,
  scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
  accounts: ['w'],
}
const status = {
  status: 'CONNECTED',
  isRegistered: true,
  isVerified: true,
  isNameApproved: true as boolean | null,
  nextName: { name: null as string | null, isApproved: null as boolean | null },
  isTestNumber: false,
  isOnPhoneToo: false,
}
const webhook = { address: own, isActive: true, fields: ['messages', 'standby', 'account_update'] }
const routes = { number: null as string | null, account: null as string | null, app: own as string | null }

const fine: StandingFacts = {
  quality: { value: 'high' },
  limit: { value: 1000 },
  status: { value: status },
  routes: { value: routes },
  health: { value: { maySend: 'yes', faults: [] } },
  token: { value: token },
  account: { value: true },
  apps: { value: ['7'] },
  webhook: { value: webhook },
  reach: { value: 'answers' },
  profile: { value: { about: '', address: '', description: '', email: '', websites: [], vertical: '' } },
}
const facts: CheckFacts = {
  kind: 'cloud',
  said: fine,
  now,
  webhookAddresses: [own, 'https://recado.example/webhooks/whatsapp'],
  lastWebhookAt: inDays(-1),
  wabaId: 'w',
  opened: 10,
  templates: { syncedAt: inDays(-1), failure: null },
  wantedFields: ['messages', 'standby', 'account_update'],
  vitalFields: ['messages', 'standby'],
  refusedCode: undefined,
}

const verdict = (id: CheckId, said: Partial<StandingFacts>, more: Partial<CheckFacts> = {}) => {
  const found = findingsOf({ ...facts, said: { ...fine, ...said }, ...more }).find(one => one.id === id)
  return `${found?.state} ${found?.word}`
}
const fault = (code: string) => ({ of: 'WABA', code, says: 'it stopped', remedy: null })
const tokenUntil = (expiresAt: string | null | undefined) => ({ token: { value: { ...token, expiresAt } } })
const pointsTo = (address: string) => ({ routes: { value: { ...routes, app: address } } })

const table: [CheckId, string, Partial<StandingFacts>, Partial<CheckFacts>?][] = [
  ['token', 'good lasting', {}],
  ['token', 'good unsaid', tokenUntil(undefined)],
  ['token', 'good until', tokenUntil(inDays(14.5))],
  ['token', 'warning ending', tokenUntil(inDays(13.5))],
  ['token', 'warning ending', tokenUntil(inDays(0.1))],
  ['token', 'bad expired', tokenUntil(inDays(-0.1))],
  ['token', 'bad invalid', { token: { value: { ...token, isValid: false } } }],
  ['token', 'bad refused', { token: { failure: '190' } }],
  ['token', 'bad refused', {}, { refusedCode: '190' }],
  ['token', 'bad simulated', {}, { refusedCode: '190', kind: 'sandbox' }],
  ['token', 'unknown noAnswer', { token: { failure: 'TIMEOUT' } }],
  ['token', 'unknown notRead', { token: { failure: 'UNREAD' } }],
  ['permissions', 'good fine', {}],
  ['permissions', 'bad missing', { token: { value: { ...token, scopes: ['whatsapp_business_messaging'] } } }],
  ['permissions', 'bad otherAccount', { token: { value: { ...token, accounts: ['another'] } } }],
  ['permissions', 'good fine', { token: { value: { ...token, accounts: [] } } }],
  ['permissions', 'unknown noToken', { token: { failure: '190' } }],
  ['account', 'good fine', {}],
  ['account', 'bad other', { account: { failure: 'WRONG_ACCOUNT' } }],
  ['account', 'bad gone', { account: { failure: '100' } }],
  ['secret', 'good fine', {}],
  ['secret', 'bad other', { token: { failure: 'APP_SECRET' } }],
  ['secret', 'bad other', { webhook: { failure: '190' } }],
  ['subscription', 'good fine', {}],
  ['subscription', 'bad none', { apps: { value: [] } }],
  ['subscription', 'bad others', { apps: { value: ['8'] } }],
  ['webhookAddress', 'good fine', {}],
  ['webhookAddress', 'good fine', pointsTo('https://RECADO.example/webhooks/whatsapp')],
  ['webhookAddress', 'good fine', pointsTo('/webhooks/whatsapp/c1')],
  ['webhookAddress', 'bad other', pointsTo('https://old.example/webhooks/whatsapp/c1')],
  ['webhookAddress', 'bad other', pointsTo('http://recado.example/webhooks/whatsapp/c1')],
  ['webhookAddress', 'bad other', pointsTo('https://recado.example/webhooks/whatsapp/c2')],
  ['webhookAddress', 'bad other', { routes: { value: { ...routes, number: 'https://old.example/' } } }],
  ['webhookAddress', 'bad none', { routes: { value: { ...routes, app: null } }, webhook: { value: null } }],
  ['webhookFields', 'good fine', {}],
  ['webhookFields', 'bad none', { webhook: { value: null } }],
  ['webhookFields', 'bad noMessages', { webhook: { value: { ...webhook, fields: ['account_update'] } } }],
  ['webhookFields', 'bad unseen', { webhook: { value: { ...webhook, fields: ['messages', 'account_update'] } } }],
  ['webhookFields', 'warning missing', { webhook: { value: { ...webhook, fields: ['messages', 'standby'] } } }],
  ['webhookFields', 'warning missing', { status: { value: { ...status, isOnPhoneToo: true } } }],
  ['webhookReach', 'good fine', {}],
  ['webhookReach', 'good inside', {}, { kind: 'sandbox' }],
  ['webhookReach', 'bad local', { reach: { value: 'local' } }],
  ['webhookReach', 'bad refuses', { reach: { value: 'refuses' } }],
  ['webhookReach', 'bad silent', { reach: { value: 'silent' } }],
  ['webhookHeard', 'good fine', {}],
  ['webhookHeard', 'warning never', {}, { lastWebhookAt: null }],
  ['webhookHeard', 'warning quiet', {}, { lastWebhookAt: inDays(-8) }],
  ['registered', 'good fine', {}],
  ['registered', 'good test', { status: { value: { ...status, isTestNumber: true } } }],
  ['registered', 'bad not', { status: { value: { ...status, isRegistered: false } } }],
  ['registered', 'bad unproved', { status: { value: { ...status, isRegistered: false, isVerified: false } } }],
  ['name', 'good fine', {}],
  ['name', 'bad declined', { status: { value: { ...status, isNameApproved: false } } }],
  ['name', 'warning inReview', { status: { value: { ...status, isNameApproved: null } } }],
  ['name', 'good asked', { status: { value: { ...status, nextName: { name: 'B', isApproved: null } } } }],
  ['name', 'warning ready', { status: { value: { ...status, nextName: { name: 'B', isApproved: true } } } }],
  ['quality', 'good high', {}],
  ['quality', 'warning medium', { quality: { value: 'medium' } }],
  ['quality', 'bad low', { quality: { value: 'low' } }],
  ['quality', 'unknown unjudged', { quality: { value: null } }],
  ['limit', 'good fine', {}],
  ['limit', 'good fine', {}, { opened: 899 }],
  ['limit', 'warning near', {}, { opened: 900 }],
  ['limit', 'good endless', { limit: { value: -1 } }, { opened: 5000 }],
  ['limit', 'unknown unsaid', { limit: { value: null } }],
  ['payment', 'good fine', {}],
  ['payment', 'bad refused', { health: { value: { maySend: 'no', faults: [fault('141006')] } } }],
  ['payment', 'unknown unsaid', { health: { value: { maySend: 'no', faults: [fault('1')] } } }],
  ['sending', 'good fine', {}],
  ['sending', 'bad blocked', { health: { value: { maySend: 'no', faults: [fault('1')] } } }],
  ['sending', 'warning limited', { health: { value: { maySend: 'limited', faults: [] } } }],
  ['sending', 'unknown unsaid', { health: { value: { maySend: null, faults: [] } } }],
  ['templates', 'good fine', {}],
  ['templates', 'warning failed', {}, { templates: { syncedAt: null, failure: '190' } }],
  ['templates', 'unknown notRead', {}, { templates: undefined }],
]

t.test('each check of a number is judged on its own', async t => {
  for (const [id, expected, said, more] of table)
    t.equal(verdict(id, said, more), expected, `${id} ${JSON.stringify({ ...said, ...more })}`)
  t.same(
    new Set(table.map(([id]) => id)),
    new Set(findingsOf(facts).map(({ id }) => id)),
    'every check is in the table',
  )
  t.ok(
    findingsOf(facts).every(({ state }) => state === 'good'),
    'one fault fails one check',
  )
})

t.test('the remaining days of a token include the current one', async t => {
  const daysOf = (days: number) =>
    findingsOf({ ...facts, said: { ...fine, ...tokenUntil(inDays(days)) } }).find(({ id }) => id === 'token')?.params
  t.same([0.1, 1, 1.1, 14].map(daysOf), [{ count: 1 }, { count: 1 }, { count: 2 }, { count: 14 }])
})

t.test('without a reading checks are unknown, except those based on our own data', async t => {
  const judged = findingsOf({ ...facts, said: undefined }).filter(({ state }) => state !== 'unknown')
  t.same(
    judged.map(({ id }) => id),
    ['webhookHeard', 'templates'],
  )
})
