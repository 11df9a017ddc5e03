import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '#test/crash/server-process.ts'
import { bring, launchOwn } from './browser.ts'

const run = promisify(execFile)
const folder = join(tmpdir(), 'recado-bench-lighthouse')
const version = '13.5.0'

/** Lighthouse's figures for one page, with its mobile profile. */
export interface Finding {
  /** 0 to 100. */
  readonly score: number
  /** Milliseconds. */
  readonly blocked: number
  readonly largestPaint: number
  /** Without a unit. */
  readonly shift: number
}

interface Result {
  readonly finalDisplayedUrl: string
  readonly runtimeError?: { readonly message: string }
  readonly categories: { readonly performance: { readonly score: number | null } }
  readonly audits: Record<string, { readonly numericValue?: number } | undefined>
}

/** Installs Lighthouse into a temporary folder, which stays, so that it is not a dependency of the product. */
const install = async (): Promise<string> => {
  const program = join(folder, 'node_modules/lighthouse/cli/index.js')
  if (existsSync(program)) return program
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }))
  await run('npm', ['install', '--no-audit', '--no-fund', `lighthouse@${version}`], { cwd: folder, timeout: 300_000 })
  return program
}

/** Lighthouse sometimes misses the start of a visit and must be run again. */
const lostItsBegin = (error: unknown) => error instanceof Error && error.message.includes('NO_NAVSTART')

/**
 * One visit of a browser with empty caches; Lighthouse simulates a phone on a slow line.
 * @throws if it was redirected to another page, such as the sign-in
 */
export async function inspect(url: string, cookies: readonly string[]): Promise<Finding> {
  for (let left = 3; ; left -= 1)
    try {
      return await visit(url, cookies)
    } catch (error) {
      if (left === 0 || !lostItsBegin(error)) throw error
    }
}

const visit = async (url: string, cookies: readonly string[]): Promise<Finding> => {
  const program = await install()
  const saved = join(folder, `${process.pid}.json`)
  const port = await freePort()
  const context = await launchOwn([`--remote-debugging-port=${port}`])
  try {
    for (const cookie of cookies) await bring(context, url, cookie)
    const args = ['--quiet', '--only-categories=performance', '--output=json', `--output-path=${saved}`]
    // Keeps the cookies; the browser has no other storage.
    await run(process.execPath, [program, url, ...args, `--port=${port}`, '--disable-storage-reset'], {
      timeout: 180_000,
    })
    const { finalDisplayedUrl, runtimeError, categories, audits } = JSON.parse(readFileSync(saved, 'utf8')) as Result
    if (runtimeError) throw new Error(runtimeError.message)
    if (finalDisplayedUrl !== url) throw new Error(`${url} led to ${finalDisplayedUrl}`)
    const value = (audit: string) => audits[audit]?.numericValue ?? Number.NaN
    return {
      score: (categories.performance.score ?? Number.NaN) * 100,
      blocked: value('total-blocking-time'),
      largestPaint: value('largest-contentful-paint'),
      shift: value('cumulative-layout-shift'),
    }
  } finally {
    await context.close()
    rmSync(saved, { force: true })
  }
}
