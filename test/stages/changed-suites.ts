import { execFileSync } from 'node:child_process'
import { folderOf } from '#test/helpers/laws.ts'
import { root } from './stage.ts'

/** Suites about the whole tree: a change anywhere may break one of them. */
const rules = [
  'test/boundaries.test.ts',
  'test/documents.test.ts',
  'test/locales.test.ts',
  'test/suites.test.ts',
  'test/snapshots.test.ts',
]

const git = (...args: string[]): string[] =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')

/** Paths that differ from the last commit, or the paths of the last commit if none differ. Empty without git. */
const changedPaths = (): string[] => {
  try {
    const uncommitted = [...git('diff', '--name-only', 'HEAD'), ...git('ls-files', '--others', '--exclude-standard')]
    const changed = uncommitted.some(Boolean) ? uncommitted : git('diff', '--name-only', 'HEAD~1', 'HEAD')
    return changed.filter(Boolean)
  } catch {
    return []
  }
}

/** `server/features/flows/sessions/engine.ts` and `shared/flows/triggers/triggers.ts` belong to `flows`, `locales/es/tags.json` to `tags`. */
const featureOf = (path: string): string | undefined => {
  const [side, , file = ''] = path.split('/')
  if (!['server', 'client', 'shared', 'locales', 'migrations'].includes(side ?? '')) return undefined
  return side === 'locales' ? file.replace(/\.json$/, '') : folderOf(path)
}

/** The suites about the whole tree, changed suites, and suites in a folder or file named like a changed feature. */
export const changedSuites = (all: readonly string[], changed: readonly string[] = changedPaths()): string[] => {
  const features = new Set(changed.flatMap(path => featureOf(path) ?? []))
  const isOfChanged = (file: string) => file.split(/[/.]/).some(part => features.has(part))
  return all.filter(file => rules.includes(file) || changed.includes(file) || isOfChanged(file))
}
