import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { lineOf, listFiles, root } from '#test/helpers/sources.ts'
import { undirectedNames } from '#test/helpers/undirected.ts'

t.test('user-written text is rendered with its own text direction', async t => {
  const sources = listFiles(['client'], /\.tsx$/).map(path => ({ path, code: readFileSync(join(root, path), 'utf8') }))
  t.ok(sources.length > 100)
  // Names of emojis come from the page.
  for (const { path, code } of sources)
    if (path !== 'client/ui/controls/emoji-picker.tsx')
      for (const { start, end, tag } of undirectedNames(code))
        t.fail(
          `${path}:${lineOf(code, start)} ${code.slice(start, end)} in <${tag}> needs dir="auto", or <bdi> around it`,
        )
})

t.test('the check finds names and options, and ignores texts of our own', async t => {
  const found = (jsx: string) => undirectedNames(`export const A = () => ${jsx}`).map(({ tag }) => tag)
  t.same(found('<b>{one.name}</b>'), ['b'])
  t.same(found('<p>{contact?.name ?? phone} · {at}</p>'), ['p'])
  t.same(found('<option value={id}>{tag.label}</option>'), ['option'])
  t.same(found('<option value="">{t("none")}</option>'), [])
  t.same(found('<b dir="auto">{one.name}</b>'), [])
  t.same(found('<bdi>{one.name}</bdi>'), [])
  t.same(found('<Chip>{one.name}</Chip>'), [])
})
