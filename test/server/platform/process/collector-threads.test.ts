import { execFileSync } from 'node:child_process'
import os from 'node:os'
import { pathToFileURL } from 'node:url'
import t from 'tap'

const module = pathToFileURL('server/platform/process/collector-threads.ts').href
/** Steps back in a process of its own: a thread that has stepped back stays there. */
const program = `
  import { readdirSync, readFileSync } from 'node:fs'
  import os from 'node:os'
  import { stepBackCollectors } from '${module}'
  const found = stepBackCollectors()
  const threads = readdirSync('/proc/self/task').map(id => ({
    name: readFileSync('/proc/self/task/' + id + '/comm', 'utf8').trim(),
    priority: os.getPriority(Number(id)),
  }))
  console.log(JSON.stringify({ found, threads }))
`

t.test('collecting threads step back behind the one that answers', { skip: process.platform !== 'linux' }, async t => {
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
  const { found, threads } = JSON.parse(said) as { found: number; threads: { name: string; priority: number }[] }
  const own = os.getPriority()
  t.ok(found > 0, 'there are some')
  for (const { name, priority } of threads)
    t.equal(priority, name === 'V8Worker' ? Math.max(10, own) : own, `${name} has its place`)
})
