import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { drawMaps } from '#test/helpers/maps.ts'
import { root } from '#test/helpers/sources.ts'

for (const [name, text] of Object.entries(await drawMaps()))
  t.test(`test/snapshots/${name} matches the backend (\`npm run snap\` updates it)`, async t => {
    const lines = (whole: string) => whole.split('\n')
    t.same(lines(readFileSync(join(root, 'test/snapshots', name), 'utf8')), lines(text))
  })
