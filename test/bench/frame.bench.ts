import { freePort } from '#test/crash/server-process.ts'
import { frameModule, scriptsBeyond } from './parts/built-scripts.ts'
import { startChild } from './parts/child.ts'
import { measureFrame } from './parts/frame-in-browser.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, figure, type Line, option, report } from './parts/report.ts'
import { interleave, median, spreadOf } from './parts/samples.ts'

export const name = 'frame'
export const title =
  'What stands around every page: its scripts, its rendering, and how fast it opens, changes and moves'

const loginModule = 'client/auth/login-page.tsx'
/** Modules that load while the page is idle. */
const lateModules = ['client/palette/palette.tsx', 'client/notifications/panel.tsx']

const weigh = (): Line[] => [
  bound(
    'scripts of the frame beyond those of the sign-in',
    scriptsBeyond([frameModule], [loginModule]) / 1024,
    'KB',
    60,
  ),
  figure(
    'palette and list of notifications, which come later',
    spreadOf([scriptsBeyond(lateModules, [frameModule, loginModule]) / 1024]),
    'KB',
  ),
]

const timesPerRound = 400

const renderings = async (place: Installation, rounds: number): Promise<Line[]> => {
  const subject = await startChild('test/bench/subjects/frame.ts', {
    env: place.env,
    args: [place.cookies[0] as string],
  })
  try {
    const shoot = (path: string) => () => subject.ask<number>('render', { path, times: timesPerRound })
    const contestants = { inside: shoot(`/org/${place.org.slug}/nowhere`), outside: shoot('/nowhere') }
    for (const warmUp of Object.values(contestants)) await warmUp()
    const { inside, outside } = await interleave(rounds, contestants)
    return [
      bound(
        'rendering: what the frame adds, median',
        median(inside.map((ms, round) => ms - (outside[round] as number))),
        'ms',
        1,
      ),
      figure('the same page in it', spreadOf(inside), 'ms'),
      figure('the same page without it', spreadOf(outside), 'ms'),
    ]
  } finally {
    await subject.stop()
  }
}

export async function run(args: readonly string[]): Promise<boolean> {
  const rounds = option(args, 'rounds', 5)
  const place = await openInstallation({ conversations: 500, messages: 50_000 })
  try {
    const rendered = await renderings(place, rounds)
    // Pages at an address other than the configured one may not change the organization.
    const port = String(await freePort())
    const server = await startChild('server/main.ts', {
      env: { ...place.env, SIGNUP: 'open', PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}` },
    })
    try {
      const seen = await measureFrame(server.url, place, rounds)
      return report(
        args,
        [...weigh(), ...rendered, ...seen],
        [
          'from the input to the frame after the one that shows it (two animation frames); 1,024 bytes a KB, brotli',
          `first: never opened since the page came, its code fetched while idle; medians of ${rounds} pages; slowed: 4 ×`,
          'rendered from memory, processor time; the page is the one for addresses that lead nowhere',
        ],
      )
    } finally {
      await server.stop()
    }
  } finally {
    place.remove()
  }
}
