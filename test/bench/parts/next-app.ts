import { execFile } from 'node:child_process'
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Children, type ReactElement, type ReactNode } from 'react'
import { treeOf } from './html-tree.ts'

const run = promisify(execFile)
const source = fileURLToPath(new URL('../peers/next/', import.meta.url))
/** Not below `node_modules`, where Next's builder reads no JSX. */
const folder = join(tmpdir(), 'recado-bench-next')

type Part = string | readonly [name: string, props: object, children: readonly Part[]]
type Plain = ReactElement<{
  readonly children?: ReactNode
  readonly dangerouslySetInnerHTML?: { readonly __html: string }
}>

interface Page {
  /** What stands in the body, without its scripts. */
  readonly parts: readonly Part[]
  /** What the scripts of the body hold: the data the browser takes over with. */
  readonly handOver: readonly string[]
}

const isElement = (node: unknown): node is Plain => typeof node === 'object' && node !== null && 'type' in node

const bodyOf = (page: string): ReactNode => {
  const root = treeOf(page)
  const find = (node: ReactNode): Plain | undefined => {
    for (const child of Children.toArray(node))
      if (isElement(child)) {
        const found = child.type === 'body' ? child : find(child.props.children)
        if (found) return found
      }
    return undefined
  }
  const body = find(root)
  if (!body) throw new Error('The page has no body')
  return body.props.children
}

const readPage = (page: string): Page => {
  const handOver: string[] = []
  const partsOf = (nodes: ReactNode): Part[] =>
    Children.toArray(nodes).flatMap((node): Part[] => {
      if (!isElement(node)) return [String(node)]
      const { children, dangerouslySetInnerHTML, ...props } = node.props
      if (node.type === 'script') {
        if (dangerouslySetInnerHTML) handOver.push(dangerouslySetInnerHTML.__html)
        return []
      }
      return [[node.type as string, props, partsOf(children)]]
    })
  return { parts: partsOf(bodyOf(page)), handOver }
}

/**
 * Builds a Next application whose only page has the elements of the saved one, as client components, and hands over
 * the same data. Next comes from the registry into a temporary folder, which stays: with 340 MB it is nothing that everybody
 * who installs the product should download.
 * @returns the folder that `peers/next.ts` serves.
 */
export const buildNextApp = async (savedPage: string): Promise<string> => {
  const { parts, handOver } = readPage(readFileSync(savedPage, 'utf8'))
  for (const part of ['app', '.next']) rmSync(join(folder, part), { recursive: true, force: true })
  cpSync(source, folder, { recursive: true })
  writeFileSync(join(folder, 'tree.json'), JSON.stringify(parts))
  writeFileSync(join(folder, 'hand-over.json'), JSON.stringify(handOver))
  if (!existsSync(join(folder, 'node_modules/next')))
    await run('npm', ['install', '--no-audit', '--no-fund', '--no-save'], { cwd: folder, timeout: 300_000 })
  const env = { ...process.env, NODE_ENV: 'production' as const, NEXT_TELEMETRY_DISABLED: '1' }
  await run(join(folder, 'node_modules/.bin/next'), ['build'], { cwd: folder, env, timeout: 300_000 })
  return folder
}
