import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Child, metered, startChild } from './parts/child.ts'
import { cores, takeLoadCore } from './parts/cores.ts'
import { openInstallation } from './parts/installation.ts'
import { buildNextApp } from './parts/next-app.ts'
import { bound, fact, figure, option, ratio, report } from './parts/report.ts'
import { interleave, median, percentile, ratioOf, spreadOf } from './parts/samples.ts'
import { loadTool, saturate } from './parts/saturation.ts'
import { volley } from './parts/volley.ts'

export const name = 'ssr'
export const title =
  'Signed-in inbox page: 30 conversations and a 50-message thread out of 1,000,000 messages in 10,000 conversations'

const connections = 16
/** The share of the highest rate at which the first byte is timed. */
const share = 0.6
/** It has stood so long before anything is timed: a server that was idle is cold, and that is another figure. */
const standingSeconds = 2
const timedSeconds = 8

/** What differs from one rendering of the same page to the next. */
const constant = (html: string): string =>
  html
    .replaceAll(/nonce="[^"]*"/g, 'nonce=""')
    .replaceAll(/"now":\d+/g, '"now":0')
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')

const count = (html: string, pattern: RegExp) => html.match(pattern)?.length ?? 0

const htmlOf = async (child: Child, path: string, cookie: string): Promise<string> => {
  const response = await fetch(child.url + path, { headers: { cookie, 'accept-language': 'es' } })
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}`)
  return response.text()
}

export async function run(args: readonly string[]): Promise<boolean> {
  const [rounds, seconds] = [option(args, 'rounds', 5), option(args, 'seconds', 4)]
  const place = await openInstallation({ conversations: 10_000, messages: option(args, 'messages', 1_000_000) })
  const [cookie] = place.cookies as [string]
  const path = `/org/${place.org.slug}/c/${place.longChat}`
  takeLoadCore()
  const subject = await startChild('server/main.ts', { env: place.env })
  const peer = await startChild('test/bench/peers/ssr.ts', { env: place.env, args: [path, cookie] })
  const folder = mkdtempSync(join(tmpdir(), 'bench-page-'))
  const children = [subject, peer]
  try {
    await htmlOf(subject, path, cookie)
    const saved = join(folder, 'page.html')
    writeFileSync(saved, await htmlOf(subject, path, cookie))
    const plain = await startChild('test/bench/peers/plain-page.ts', { env: { NODE_ENV: 'production' }, args: [saved] })
    children.push(plain)
    const next = await startChild('test/bench/peers/next.ts', {
      env: { NODE_ENV: 'production' },
      args: [await buildNextApp(saved)],
    })
    children.push(next)
    const headers = [{ cookie, 'accept-language': 'es' }]
    const shoot =
      (child: Child, at = path) =>
      () =>
        metered(child, () => saturate({ url: child.url + at, headers, connections, seconds }))
    const contestants = { subject: shoot(subject), peer: shoot(peer), plain: shoot(plain), next: shoot(next, '/') }
    for (const warmUp of Object.values(contestants)) await warmUp()
    // A cold server waits for code to be loaded and streams its data after the shell, in the order in which it comes.
    const html = await htmlOf(subject, path, cookie)
    const floor = await htmlOf(peer, path, cookie)
    const results = await interleave(rounds, contestants)
    const rates = {
      subject: results.subject.map(each => each.perSecond),
      peer: results.peer.map(each => each.perSecond),
      plain: results.plain.map(each => each.perSecond),
      next: results.next.map(each => each.perSecond),
    }
    const bytes = Buffer.byteLength(html)
    const isWhole = [...results.subject, ...results.peer, ...results.plain].every(
      ({ bytesEach }) => Math.abs(bytesEach - bytes) < 3000,
    )

    const rate = Math.max(1, Math.round(median(rates.subject) * share))
    const request = Buffer.from(
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\naccept-language: es\r\ncookie: ${cookie}\r\n\r\n`,
    )
    const lead = rate * standingSeconds
    const shots = lead + rate * timedSeconds
    const timed = await volley({ port: subject.port, connections: 64, count: shots, rate, request: () => request })
    const [first, last] = [timed.first.subarray(lead), timed.last.subarray(lead)]
    return report(
      args,
      [
        figure('recado', spreadOf(rates.subject), 'pages/s'),
        figure('bare Fastify, the same tree from memory', spreadOf(rates.peer), 'pages/s'),
        ratio('to bare', ratioOf(rates.subject, rates.peer), 0.5),
        figure('plain React elements of the same bytes', spreadOf(rates.plain), 'pages/s'),
        ratio('to plain elements', ratioOf(rates.subject, rates.plain), 0.3),
        figure('Next, the same elements as client components', spreadOf(rates.next), 'pages/s'),
        ratio('to Next', ratioOf(rates.subject, rates.next), 1.5),
        figure('processor time: recado', spreadOf(results.subject.map(each => each.cpuEach / 1000)), 'ms'),
        figure('processor time: bare', spreadOf(results.peer.map(each => each.cpuEach / 1000)), 'ms'),
        figure('processor time: plain elements', spreadOf(results.plain.map(each => each.cpuEach / 1000)), 'ms'),
        figure('processor time: Next', spreadOf(results.next.map(each => each.cpuEach / 1000)), 'ms'),
        bound('elements styled by emotion in the first HTML', count(html, /class="[^"]*\bcss-[^"]*"/g), '', 40),
        bound(`first byte p99 at ${rate}/s (${share * 100} %)`, percentile(first, 0.99), 'ms', 30),
        figure('first byte p50 / whole page p99', spreadOf([percentile(first, 0.5), percentile(last, 0.99)]), 'ms'),
        fact(
          '30 rows and 50 bubbles in it',
          `${count(html, /class="row[ "]/g)} rows, ${count(html, /class="bubble[ "]/g)} bubbles, ${bytes} bytes`,
          count(html, /class="row[ "]/g) === 30 && count(html, /class="bubble[ "]/g) === 50,
        ),
        fact(
          'same bytes from both but for nonce, clock and request id',
          `${bytes} and ${Buffer.byteLength(floor)}`,
          constant(html) === constant(floor),
        ),
        figure('bytes of the Next page', spreadOf(results.next.map(each => each.bytesEach)), ''),
        fact(
          'every answer whole and 200',
          `${[...results.subject, ...results.peer, ...results.plain].reduce((sum, each) => sum + each.requests, 0)} + ${timed.answered}`,
          isWhole && timed.faults === 0,
        ),
      ],
      [`${rounds} rounds of ${seconds} s, ${loadTool} over ${connections} connections; ${cores}`],
    )
  } finally {
    await Promise.all(children.map(child => child.stop()))
    rmSync(folder, { recursive: true, force: true })
    place.remove()
  }
}
