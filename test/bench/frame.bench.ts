import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { freePort } from '#test/crash/server-process.ts'
import { startChild } from './parts/child.ts'
import { measureFrame } from './parts/frame-in-browser.ts'
import { type Installation, openInstallation } from './parts/installation.ts'
import { bound, figure, type Line, option, report } from './parts/report.ts'
import { interleave, median, spreadOf } from './parts/samples.ts'

export const name = 'frame'
export const title =
  'What stands around every page: its scripts, its rendering, and how fast it opens, changes and moves'

interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly imports?: readonly string[]
}

const clientDir = fileURLToPath(new URL('../../dist/client/', import.meta.url))

/** Compressed bytes of scripts that `modules` need beyond those that `without` need. */
const scriptsBeyond = (modules: readonly string[], without: readonly string[]): number => {
  const manifest = JSON.parse(readFileSync(`${clientDir}.vite/manifest.json`, 'utf8')) as Record<string, Chunk>
  const entry = Object.keys(manifest).filter(key => manifest[key]?.isEntry)
  const filesOf = (names: readonly string[], found = new Set<string>()): Set<string> => {
    for (const key of names) {
      const chunk = manifest[key]
      if (!chunk) throw new Error(`The build has no ${key}`)
      if (found.has(chunk.file)) continue
      found.add(chunk.file)
      filesOf(chunk.imports ?? [], found)
    }
    return found
  }
  const known = filesOf([...entry, ...without])
  const sizeOf = (file: string) => {
    const packed = statSync(`${clientDir}${file}.br`, { throwIfNoEntry: false })
    return (packed ?? statSync(`${clientDir}${file}`)).size
  }
  return [...filesOf([...entry, ...modules])]
    .filter(file => !known.has(file))
    .reduce((sum, file) => sum + sizeOf(file), 0)
}

const frameModule = 'client/shell/org-page.tsx'
const loginModule = 'client/auth/login-page.tsx'
/** They come once the page has nothing better to do. */
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
    // Changing the organization is refused to pages of another address.
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
