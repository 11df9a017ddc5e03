/** `npm run snap`: rewrites the maps and says which changed; read the diff before committing it. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawMaps } from './helpers/maps.ts'
import { root } from './helpers/sources.ts'

const folder = join(root, 'test/snapshots')
mkdirSync(folder, { recursive: true })
for (const [name, text] of Object.entries(await drawMaps())) {
  const path = join(folder, name)
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === text
  if (!isSame) writeFileSync(path, text)
  console.log(`${isSame ? 'unchanged' : 'rewritten'}  test/snapshots/${name}`)
}
