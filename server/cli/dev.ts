/**
 * `npm run dev`: server and client with reload. A change below `server/`, `shared/`, `locales/` or `migrations/` starts
 * the process again, one below `client/` reaches the open page by itself.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './prepare.mjs'

// Named folders instead of what was imported: Vite imports a copy of its configuration and deletes it again.
const folders = ['server', 'shared', 'locales', 'migrations'].map(name => `--watch-path=${join(root, name)}`)
const watcher = spawn(
  process.execPath,
  [...folders, '--watch-preserve-output', join(root, 'server/main.ts'), '--dev', ...process.argv.slice(2)],
  { cwd: root, stdio: 'inherit' },
)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => watcher.kill(signal))
watcher.on('exit', code => process.exit(code ?? 0))
