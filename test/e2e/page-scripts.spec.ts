import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#test/helpers/sources.ts'
import { expect, test } from './fixtures.ts'

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
}

/** Large chunks, and the pages that may fetch them before somebody asks for more. */
const ownersOf: Readonly<Record<string, RegExp>> = {
  chats: /^client\/inbox\//,
  'flow-parts': /^client\/flows\//,
  // Dialogs come with the code of MUI when the first one opens.
  mui: /^$/,
}

test('pages fetch no large script of another feature for a small part of it', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'dist/client/.vite/manifest.json'), 'utf8')) as Record<
    string,
    Chunk
  >
  const filesOf = (key: string, found = new Set<string>()): Set<string> => {
    const { file, imports = [] } = manifest[key] as Chunk
    if (found.has(file)) return found
    found.add(file)
    for (const one of imports) filesOf(one, found)
    return found
  }
  const pages = Object.keys(manifest).filter(key => /^client\/.*page\.tsx$/.test(key))
  expect(pages.length).toBeGreaterThan(40)
  const strangers = pages.flatMap(page =>
    [...filesOf(page)].flatMap(file => {
      const name = /([^/]+)-.{8}\.js$/.exec(file)?.[1] ?? ''
      const owners = ownersOf[name]
      return owners && !owners.test(page) ? [`${page}: ${name}`] : []
    }),
  )
  expect(strangers).toEqual([])
  const inbox = [...filesOf('client/inbox/page.tsx')].join(' ')
  expect(inbox, 'chunks are named as this test knows them').toContain('/chats-')
})
