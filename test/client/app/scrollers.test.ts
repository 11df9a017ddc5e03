import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { root } from '#test/helpers/sources.ts'

interface Rule {
  readonly file: string
  readonly selector: string
  readonly body: string
}

const rulesOf = (file: string): Rule[] =>
  [
    ...readFileSync(join(root, file), 'utf8')
      .replace(/\/\*[\s\S]*?\*\//g, '')
      .matchAll(/([^{}]+)\{([^{}]*)\}/g),
  ].map(([, selector = '', body = '']) => ({ file, selector: selector.trim(), body }))

const rules = globSync('client/**/*.css', { cwd: root }).flatMap(rulesOf)
const isScroller = ({ body }: Rule) => /overflow(?:-[xy])?:[^;]*(?:auto|scroll)/.test(body)
const isPositioned = ({ body }: Rule) => /(?:^|[\s;])position:\s*(?:relative|absolute|fixed|sticky)/.test(body)

t.test(
  'every scroller is the containing block of its content, otherwise hidden parts make the document scroll',
  async t => {
    const scrollers = rules.filter(isScroller)
    t.ok(scrollers.length > 8, 'the stylesheets were read')
    const loose = scrollers.filter(
      one => !isPositioned(one) && !rules.some(other => other.selector === one.selector && isPositioned(other)),
    )
    t.strictSame(
      loose.map(({ file, selector }) => `${file}: ${selector}`),
      [],
    )
  },
)
