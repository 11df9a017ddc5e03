import t from 'tap'
import { deviceOf } from '#server/identity/auth/sessions/user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'

t.test('a browser is recognized, whatever other names its header contains', async t => {
  for (const [userAgent, browser, system] of [
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
    [`Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, 'Edge', 'Windows'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/142.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera', 'Linux'],
    [
      `Mozilla/5.0 (Linux; Android 15) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet',
      'Android',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
    ],
    ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/142.0 Safari/604.1', 'Chrome', 'iPad'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'macOS'],
    [`Mozilla/5.0 (X11; CrOS x86_64 15000.0.0) ${webkit} Chrome/142.0.0.0 Safari/537.36`, 'Chrome', 'ChromeOS'],
    ['curl/8.0', null, null],
    ['', null, null],
    [null, null, null],
    [`${'x'.repeat(600)} Firefox/1`, null, null],
  ] as const)
    t.same(deviceOf(userAgent), { browser, system }, String(userAgent).slice(0, 80))
})
