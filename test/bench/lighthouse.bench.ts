import { startChild } from './parts/child.ts'
import { openInstallation } from './parts/installation.ts'
import { type Finding, inspect } from './parts/lighthouse.ts'
import { bound, figure, type Line, option, report } from './parts/report.ts'
import { interleave, median, spreadOf } from './parts/samples.ts'

export const name = 'lighthouse'
export const title = 'Lighthouse on its mobile profile: the inbox and a chat of 50 messages, signed in'

const linesOf = (page: string, found: readonly Finding[]): Line[] => {
  const all = (pick: keyof Finding) => found.map(finding => finding[pick])
  return [
    bound(`${page}: score, median`, median(all('score')), '', 95, true),
    bound(`${page}: total blocking time, median`, median(all('blocked')), 'ms', 150),
    figure(`${page}: largest paint`, spreadOf(all('largestPaint')), 'ms'),
    bound(`${page}: layout shift, worst`, Math.max(...all('shift')), '', 0.02),
  ]
}

export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 5)
  const place = await openInstallation({ conversations: 500, messages: 50_000 })
  const server = await startChild('server/main.ts', { env: place.env })
  const [cookie] = place.cookies as [string]
  const inbox = `${server.url}/org/${place.org.slug}/c`
  try {
    // A signed-in person has visited another page before, which sent the time zone.
    const zone = `tz=${new Intl.DateTimeFormat().resolvedOptions().timeZone}`
    const visit = (url: string) => () => inspect(url, [cookie, zone])
    const { list, chat } = await interleave(rounds, { list: visit(inbox), chat: visit(`${inbox}/${place.longChat}`) })
    return report(
      args,
      [...linesOf('inbox', list), ...linesOf('chat', chat)],
      [
        // On one core shared with Lighthouse, the page's thread would be idle half of the time, unlike on a phone.
        `the browser on all cores; ${rounds} first visits each, processor 4 × slower and line as Lighthouse simulates them`,
      ],
    )
  } finally {
    await server.stop()
    place.remove()
  }
}
