import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import autocannon from 'autocannon'

/** What one round of as-much-as-goes delivered. */
export interface Saturation {
  readonly perSecond: number
  /** Bytes of an answer with its headers, on the average. */
  readonly bytesEach: number
  readonly requests: number
}

export interface Target {
  readonly url: string
  /** Each request takes the next one, round and round. */
  readonly headers: readonly Readonly<Record<string, string>>[]
  readonly connections: number
  readonly seconds: number
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined
export const loadTool = hasWrk ? 'wrk' : 'autocannon'

const lua = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`
const luaTable = (headers: Readonly<Record<string, string>>) =>
  `{${Object.entries(headers).map(([name, value]) => `[${lua(name)}]=${lua(value)}`)}}`

const script = ({ url, headers }: Target) => `
local all = {${headers.map(luaTable)}}
local made, at = {}, 0
init = function() for i, headers in ipairs(all) do made[i] = wrk.format("GET", ${lua(new URL(url).pathname + new URL(url).search)}, headers) end end
request = function() at = at % #made + 1; return made[at] end
done = function(summary)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"micros":%d,"bytes":%d,"faults":%d}\\n', summary.requests, summary.duration, summary.bytes,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`

const byWrk = async (target: Target) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const file = join(folder, 'load.lua')
  writeFileSync(file, script(target))
  try {
    const args = ['-t1', `-c${target.connections}`, `-d${target.seconds}s`, '--timeout', '10s', '-s', file, target.url]
    const { stdout } = await promisify(execFile)('wrk', args)
    const line = stdout.split('\n').find(text => text.startsWith('{'))
    if (!line) throw new Error(`wrk said nothing:\n${stdout}`)
    const { requests, micros, bytes, faults } = JSON.parse(line) as Record<string, number>
    return { requests, seconds: (micros as number) / 1e6, bytes, faults } as Record<
      'requests' | 'seconds' | 'bytes' | 'faults',
      number
    >
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const byAutocannon = async ({ url, headers, connections, seconds }: Target) => {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: headers.map(each => ({ headers: { ...each } })),
  })
  return {
    requests: result.requests.total,
    seconds: result.duration,
    bytes: result.throughput.total,
    faults: result.errors + result.timeouts + result.non2xx,
  }
}

/**
 * As many requests as go.
 * @throws when a single answer was not 2xx: such a round is void.
 */
export async function saturate(target: Target): Promise<Saturation> {
  const { requests, seconds, bytes, faults } = await (hasWrk ? byWrk(target) : byAutocannon(target))
  if (faults) throw new Error(`${faults} of ${requests} answers of ${target.url} were no success: the round is void`)
  return { perSecond: requests / seconds, bytesEach: bytes / requests, requests }
}
